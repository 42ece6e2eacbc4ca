/** Facts needed to bill a customer: the payer and the method, open entries on the account, and discounts. */
import { billingSettings, type Settings } from './settings.ts';
import { creditOf, lockAccounts } from '../../money/ledger/index.ts';
import { openEntries, type OpenEntry } from '../../money/account-entries/index.ts';
import { plansOf, type PlanTerms } from '../discount-codes/index.ts';
import { readFees } from '../../pricing/fees/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A saved payment method that can be charged. */
export interface Method {
  readonly id: number;
  readonly processor: number;
}

/** Everything that makes up an invoice, except its subject. Amounts are in minor units. */
export interface AccountFacts {
  /** owner of the account */
  readonly customer: number;
  /** owner of the charged method, or recipient of the invoice */
  readonly payer: number;
  readonly method: Method | null;
  readonly entries: readonly OpenEntry[];
  /** the payer's credit, as far as the business spends it */
  readonly credit: number;
  readonly settings: Settings;
}

/** A discount that a plan keeps, with the code it came from. */
export type Terms = PlanTerms & {
  readonly code: { readonly id: number; readonly code: string; readonly name: string };
};

/** Facts of an account and of one of its memberships, with the parts of its price. */
export interface PlanFacts extends AccountFacts {
  readonly customerMembership: number;
  readonly subscription: number;
  /** the method chosen for this plan */
  readonly chosen: number | null;
  readonly name: string;
  readonly terms: Terms | null;
  readonly fees: Awaited<ReturnType<typeof readFees>>;
}

interface AccountRow extends Record<string, unknown> {
  readonly customer: number;
  readonly payer: number;
  readonly method: number | null;
  readonly processor: number | null;
  /** true if the account has open entries; true if the payer has credit */
  readonly open: boolean;
  readonly credit: boolean;
}

interface PlanRow extends AccountRow {
  readonly membership: number;
  readonly subscription: number;
  /** the method chosen for this plan */
  readonly chosen: number | null;
  readonly name: string;
  readonly discounted: boolean;
}

/** Everything needed to bill several plans, read in one round trip. Nothing is locked. */
export interface PlansRead {
  /** by membership */
  readonly plans: ReadonlyMap<number, PlanRow>;
  readonly settings: Settings;
  readonly fees: Awaited<ReturnType<typeof readFees>>;
}

/**
 * Columns from `x`: `customer`, `payer`, and `chosen` (id of a method or null); and from `pm`, the method that is
 * charged.
 */
const account = sql`x.customer, coalesce(pm.customer_id, x.payer) AS payer, pm.id AS method,
  pm.payment_processor_id AS processor,
  EXISTS (SELECT FROM account_entry e WHERE e.provider_id = current_provider_id() AND e.customer_id = x.customer
    AND e.voided_at IS NULL AND e.settled_invoice_id IS NULL AND e.credited_at IS NULL) AS open,
  EXISTS (SELECT FROM customer_balance b WHERE b.provider_id = current_provider_id()
    AND b.customer_id = coalesce(pm.customer_id, x.payer) AND b.account = 'credit' AND b.amount_minor < 0) AS credit`;

/**
 * `x` returns the payer as a column: if the value comes from a function, row-level security looks up rows one by one.
 */
const method = sql`LEFT JOIN LATERAL method_charged(current_provider_id(), x.payer, x.chosen) pm ON true`;

/** Reads the stored facts of these plans and their accounts in one batch, which shares a round trip. */
export async function readPlans(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  memberships: readonly number[],
): Promise<PlansRead> {
  const [rows, settings, fees] = await Promise.all([
    tx.rows<PlanRow>(sql`
      SELECT x.membership, x.subscription, x.chosen, x.name, x.discounted, ${account} FROM (
        SELECT cm.id AS membership, s.id AS subscription, s.payment_method_id AS chosen, m.name,
          cm.customer_id AS customer,
          paying_customer(cm.provider_id, cm.customer_id) AS payer,
          EXISTS (SELECT FROM discount_code_plan p
            WHERE p.provider_id = cm.provider_id AND p.customer_membership_id = cm.id) AS discounted
        FROM customer_membership cm
          JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
          JOIN payment_subscription s ON s.provider_id = cm.provider_id AND s.customer_membership_id = cm.id
        WHERE cm.provider_id = ${providerId} AND cm.id = ANY(${memberships}::bigint[]) OFFSET 0) x ${method}`),
    billingSettings({ tx, providerId }),
    readFees(tx, providerId),
  ]);
  return { plans: new Map(rows.map((row) => [row.membership, row])), settings, fees };
}

/**
 * Returns the facts of a plan. `looking`: true for a preview, which locks nothing. Queries the database only if the
 * account or a discount requires it.
 */
export async function factsOfPlan(
  work: Work,
  customerMembership: number,
  { plans, settings, fees }: PlansRead,
  { looking = false } = {},
): Promise<PlanFacts> {
  const row = plans.get(customerMembership)!;
  const { subscription, chosen, name, discounted } = row;
  const [of, terms] = await Promise.all([
    together(work, row, settings, looking),
    discounted ? termsOf(work, customerMembership) : null,
  ]);
  return { ...of, customerMembership, subscription, chosen, name, terms, fees };
}

export async function factsOfAccount(work: Work, customer: number): Promise<AccountFacts> {
  const [row, settings] = await Promise.all([
    work.tx.one<AccountRow>(sql`
      SELECT ${account}
      FROM (SELECT c.id AS customer, NULL::bigint AS chosen, paying_customer(c.provider_id, c.id) AS payer
        FROM customer c WHERE c.provider_id = ${work.providerId} AND c.id = ${customer} OFFSET 0) x ${method}`),
    billingSettings(work),
  ]);
  return together(work, row!, settings, false);
}

/** Reads facts that can change during the transaction, with both accounts locked. */
async function together(work: Work, row: AccountRow, settings: Settings, looking: boolean): Promise<AccountFacts> {
  const { customer, payer } = row;
  const credit = row.credit && settings.use_account_credit;
  if ((row.open || credit) && !looking) await lockAccounts(work, [customer, payer]);
  return {
    customer,
    payer,
    method: row.method === null ? null : { id: row.method, processor: row.processor! },
    entries: row.open ? await openEntries(work, customer) : [],
    credit: credit ? await creditOf(work, payer) : 0,
    settings,
  };
}

export async function termsOf(work: Work, customerMembership: number): Promise<Terms | null> {
  const plan = (await plansOf(work, [customerMembership])).get(customerMembership);
  if (plan === undefined) return null;
  const code = await work.tx.one<Terms['code'] & Record<string, unknown>>(
    sql`SELECT id, code, name FROM discount_code WHERE provider_id = ${work.providerId} AND id = ${plan.code}`,
  );
  return { ...plan, code: code! };
}
