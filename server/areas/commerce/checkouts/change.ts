/** Opening checkouts, and changing their own properties. The caller locks the checkout's row. */
import { changedNames, insertWhole, updateRowLater } from '../../../kernel/work/unit/row.ts';
import { checkoutFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { itemsOf, type CheckoutRow } from './rows.ts';
import { lookAgain } from './expire.ts';
import { OPEN_MS } from './reservations/times.ts';
import { settle } from './settle.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Maximum number of open checkouts for each payer; all walk-in customers count as one payer. */
const OPEN_AT_ONCE = 20;
const OPEN_OF_WALK_INS = 500;

interface NewCheckout {
  readonly customer: number;
  readonly discount_code?: string | null;
  readonly return_to?: string | null;
  readonly use_account_credit?: boolean;
  /** default: products to be delivered are delivered */
  readonly taken_along?: boolean;
}

/** Opens a checkout and returns its id. */
export async function openCheckout(work: Work, asked: NewCheckout): Promise<number> {
  const expires = work.now + OPEN_MS;
  const [, row] = await Promise.all([
    checkFew(work, asked.customer),
    insertWhole<CheckoutRow>(work, 'checkout', {
      customer_id: asked.customer,
      return_to: asked.return_to ?? null,
      use_account_credit: asked.use_account_credit ?? false,
      taken_along: asked.taken_along ?? false,
      discount_code: asked.discount_code ?? null,
      expires_at: instant(expires),
    }),
  ]);
  const { id } = row;
  work.record(checkoutFeed.created, id, { checkout: id, customer: asked.customer });
  lookAgain(work, id, expires);
  if (row.discount_code !== null) await settle(work, row, [], { newCode: true });
  return id;
}

/** Customers open pages again and again; staff serve one customer after the other. */
async function checkFew({ tx, providerId }: Work, customer: number): Promise<void> {
  const { open, most } = (await tx.one<{ open: number; most: number }>(
    sql`SELECT count(*)::int AS open,
          CASE WHEN EXISTS (SELECT FROM customer c
            WHERE c.provider_id = ${providerId} AND c.id = ${customer} AND c.is_walk_in)
            THEN ${OPEN_OF_WALK_INS}::int ELSE ${OPEN_AT_ONCE}::int END AS most
        FROM checkout WHERE provider_id = ${providerId} AND customer_id = ${customer} AND status = 'open'`,
  ))!;
  if (open >= most)
    throw new Problem('conflict', {
      staff: `The customer has ${open} open checkouts. Complete or cancel one of them first.`,
      customer: 'You have begun too many purchases. Finish or cancel one of them first.',
    });
}

interface CheckoutValues {
  readonly customer?: number;
  readonly discount_code?: string | null;
  readonly return_to?: string | null;
  readonly use_account_credit?: boolean;
}

/**
 * Changes the checkout's own properties; absent values stay. A request that changes nothing doesn't extend the expiry.
 */
export async function changeCheckout(work: Work, checkout: CheckoutRow, sent: CheckoutValues): Promise<void> {
  const now = { ...checkout, customer: checkout.customer_id } as Record<string, unknown>;
  const values: CheckoutValues = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && value !== now[name]),
  );
  if (changedNames(values).length === 0) return;
  const { customer, ...rest } = values;
  if (customer !== undefined && customer !== checkout.customer_id) await checkNewPayer(work, checkout, customer);
  const code = rest.discount_code === null ? NO_CODE : {};
  updateRowLater(work, 'checkout', checkout.id, { ...rest, ...code, customer_id: customer });
  const to = { ...checkout, ...definedOf(rest), ...(customer !== undefined && { customer_id: customer }) };
  const items = await itemsOf(work, checkout.id);
  await settle(work, to as CheckoutRow, items, { newCode: typeof values.discount_code === 'string' });
  work.record(checkoutFeed.updated, checkout.id, {
    checkout: checkout.id,
    customer: to.customer_id,
    changed: changedNames(values),
  });
}

/** The stored facts of a code are cleared with it. */
const NO_CODE = { discount_code_id: null, discount_code_error: null };

const definedOf = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Refuses a new payer once the checkout has items, because these are for the payer's family. */
async function checkNewPayer(work: Work, checkout: CheckoutRow, customer: number): Promise<void> {
  if ((await itemsOf(work, checkout.id)).length > 0)
    throw invalid('customer', 'Can only be changed while nothing is in the checkout. Create another one.');
  await checkFew(work, customer);
}
