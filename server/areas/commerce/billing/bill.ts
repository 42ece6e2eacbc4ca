/**
 * Billing of a customer in one transaction: the invoice, the part that account credit pays, and the payment of the
 * rest, which continues after the commit. A process that is killed before the commit leaves nothing behind; after it,
 * everything is recorded.
 */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { addCollections } from './collections.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import { factsOfAccount, factsOfPlan, readPlans, type AccountFacts, type PlanFacts, type PlansRead } from './facts.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import {
  issueReady,
  numberOf,
  partiesOf,
  readyInvoice,
  type NewInvoice,
  type Parties,
  type ReadyInvoice,
} from '../../money/invoices/index.ts';
import { planCharges, planPeriod, type Period, type PlannedInvoice } from './plan.ts';
import {
  readMethods,
  readyPayment,
  startReady,
  stillStands,
  type KnownMethod,
  type KnownPayment,
  type ReadyPayment,
} from '../../money/payments/index.ts';
import { settleHoldsSoon } from '../../memberships/customer-memberships/index.ts';
import { todayOf } from './today.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A billing period that is due, with its membership. Values are ids. */
export interface DuePeriod extends Period {
  readonly id: number;
  readonly membership: number;
}

/**
 * The cycle number of the billing period under alias `p`, counted from 1. The first payment may have been made with the
 * sale.
 */
export const cycleOf = sql`1 + (SELECT count(*) FILTER (WHERE b.period_start < p.period_start AND b.state <> 'skipped')
    + CASE WHEN bool_or(b.first) THEN 0 ELSE 1 END
  FROM billing_period b WHERE b.provider_id = p.provider_id
    AND b.customer_membership_id = p.customer_membership_id)::int`;

/** Everything needed to bill several periods, and the parties of their invoices and payments. */
export interface BillsRead extends PlansRead {
  /** by payer */
  readonly parties: ReadonlyMap<number, Parties>;
  /** by saved method */
  readonly methods: ReadonlyMap<number, KnownMethod>;
}

/** Reads due periods under the alias `p`, in billing order, with everything needed to bill them. */
export async function readDue(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  which: Sql,
  most: number,
): Promise<{ due: readonly DuePeriod[]; plans: BillsRead }> {
  const due = await tx.rows<DuePeriod & Record<string, unknown>>(sql`
    SELECT p.id, p.customer_membership_id AS membership, p.period_start AS start, p.period_end AS "end",
      p.price_minor AS price,
      ${cycleOf} AS cycle
    FROM billing_period p WHERE p.provider_id = ${providerId} AND ${which} ORDER BY p.id LIMIT ${most}`);
  const memberships = due.map(({ membership }) => membership);
  const plans = await readPlans({ tx, providerId }, memberships);
  const rows = [...plans.plans.values()];
  const [parties, methods] = await Promise.all([
    partiesOf(
      { tx, providerId },
      rows.map(({ payer }) => payer),
    ),
    readMethods(
      { tx, providerId },
      rows.flatMap(({ method }) => method ?? []),
    ),
  ]);
  return { due, plans: { ...plans, parties, methods } };
}

/** A period that this transaction has locked, with the facts that may have changed since it was read. */
interface Held {
  readonly id: number;
  readonly cycle: number;
  readonly customer: number;
  readonly chosen: number | null;
  readonly mistake: boolean;
  /** true if the method that would be charged is unchanged since it was read */
  readonly stands: boolean;
}

/**
 * A period and the method that would be charged, with the known facts about the method; the facts are undefined if it
 * was not read before.
 */
interface ToHold {
  readonly id: number;
  readonly payer: number;
  readonly method: number | null;
  readonly known: KnownMethod | undefined;
}

/**
 * Locks periods that are due and returns them by id. Periods that are already billed, or locked by another transaction,
 * are missing.
 */
export async function holdDue(work: Work, all: readonly ToHold[]): Promise<ReadonlyMap<number, Held>> {
  const { tx, providerId } = work;
  const each = <T>(of: (one: ToHold) => T): T[] => all.map(of);
  const stands = stillStands(work, { method: sql`x.method`, payer: sql`x.payer`, sealed: sql`x.sealed` });
  const held = await tx.rows<Held & Record<string, unknown>>(sql`
    SELECT p.id, ${cycleOf} AS cycle, cm.customer_id AS customer, s.payment_method_id AS chosen,
      coalesce(cm.cancellation_reason = 'mistake', false) AS mistake, x.method IS NULL OR ${stands} AS stands
    FROM unnest(${each(({ id }) => id)}::bigint[], ${each(({ known, method }) => (known ? method : null))}::bigint[],
        ${each(({ payer }) => payer)}::bigint[], ${each(({ known }) => known?.processor.sealed ?? null)}::text[])
        AS x (id, method, payer, sealed)
      JOIN billing_period p ON p.provider_id = ${providerId} AND p.id = x.id
      JOIN customer_membership cm ON cm.provider_id = p.provider_id AND cm.id = p.customer_membership_id
      JOIN payment_subscription s ON s.provider_id = p.provider_id
        AND s.customer_membership_id = p.customer_membership_id
    WHERE p.state = 'due' ORDER BY p.id FOR UPDATE OF p SKIP LOCKED`);
  return new Map(held.map((one) => [one.id, one]));
}

/** Thrown if the facts that a period is billed with have changed since they were read. */
export class Changed extends Error {}

/** @throws Changed */
export function checkHeld(held: Held, due: DuePeriod, facts: PlanFacts): void {
  if (!held.stands || held.cycle !== due.cycle || held.customer !== facts.customer || held.chosen !== facts.chosen)
    throw new Changed('what the period is billed with has changed');
}

/** Bills a period like `billPeriod`, but reads everything first. */
export async function billAlone(work: Work, id: number): Promise<KnownPayment | null> {
  const { due, plans } = await readDue(work, sql`p.id = ${id}`, 1);
  return billPeriod(work, due[0], plans);
}

/**
 * Bills a due period once: if two callers run at the same time, one of them finds nothing to bill. `plans`: the facts
 * to bill it with. Returns the payment to continue after the commit; null if there is none.
 * @throws Changed
 */
export async function billPeriod(work: Work, due: DuePeriod, plans: BillsRead): Promise<KnownPayment | null> {
  const { method, payer, open } = plans.plans.get(due.membership)!;
  const known = method === null ? undefined : plans.methods.get(method);
  const prepare = async () => {
    const facts = await factsOfPlan(work, due.membership, plans);
    const about = { object: 'payment_subscription', id: facts.subscription };
    return {
      facts,
      ready: await readyBill(work, facts, planPeriod(work, facts, due, todayOf(work)), about, {
        parties: plans.parties.get(payer),
        method: known,
      }),
    };
  };
  // Sent together: if the account has no open entries, this is one round trip.
  const [found, { facts, ready }] = await Promise.all([
    holdDue(work, [{ id: due.id, payer, method, known }]),
    prepare(),
  ]);
  const held = found.get(due.id);
  if (held === undefined) return null;
  if (held.mistake) {
    settlePeriods(work, 'skipped', [{ id: due.id, invoice: null }]);
    return null;
  }
  checkHeld(held, due, facts);
  const { invoice, payment } = await issueBill(work, ready, { description: facts.name, membership: due.membership });
  settlePeriods(work, 'billed', [{ id: due.id, invoice }]);
  if (open) settleHoldsSoon(work);
  return payment;
}

/** Marks periods as billed or skipped. The database refuses a second invoice for the same period. */
export function settlePeriods(
  work: Work,
  state: 'billed' | 'skipped',
  periods: readonly { readonly id: number; readonly invoice: number | null }[],
): void {
  work.tx
    .later(sql`UPDATE billing_period p SET state = ${state}, invoice_id = n.invoice, updated_at = ${instant(work.now)}
    FROM unnest(${periods.map(({ id }) => id)}::bigint[], ${periods.map(({ invoice }) => invoice)}::bigint[]) AS n
      (id, invoice)
    WHERE p.provider_id = ${work.providerId} AND p.id = n.id`);
}

/** Bills the charges of an account that are due. The payment continues after the commit. */
export async function billAccount(work: Work, customer: number): Promise<void> {
  const facts = await factsOfAccount(work, customer);
  const plan = planCharges(facts, todayOf(work));
  // Another invoice has collected the charges in the meantime.
  if (!plan.entries.some(({ kind }) => kind === 'charge')) return;
  const ready = await readyBill(work, facts, plan, { object: 'customer', id: customer });
  await issueBill(work, ready, { description: plan.lines[0].description, membership: null });
}

/**
 * An invoice that is ready to be issued, and the payment of the rest after account credit; null if nothing can be
 * charged.
 */
interface ReadyBill {
  readonly invoice: ReadyInvoice;
  readonly payment: ReadyPayment | null;
  /** amount left to pay */
  readonly due: number;
  readonly dueOn: string;
}

/**
 * Prepares a bill. Everything that can wait for other transactions comes before taking the invoice number, because
 * other transactions wait for that number until the commit.
 */
async function readyBill(
  work: Work,
  { payer, method }: AccountFacts,
  { lines, credit, due, dueOn, code }: PlannedInvoice,
  about: NewInvoice['about'],
  read: { readonly parties?: Parties; readonly method?: KnownMethod } = {},
): Promise<ReadyBill> {
  const charge = due > 0 ? method : null;
  const [invoice, payment] = await Promise.all([
    readyInvoice(
      work,
      {
        payer,
        about,
        dueOn,
        lines,
        discountCode: code,
        credit: credit > 0 ? { amount: credit, from: 'credit' } : undefined,
        pending: charge !== null,
      },
      read.parties,
    ),
    charge && readyPayment(work, { processor: charge.processor, payer, amount: due, method: charge.id }, read.method),
  ]);
  return { invoice, payment, due, dueOn };
}

interface Cause {
  /** text that the payer reads on their statement */
  readonly description: string;
  /** membership that can't be used while the invoice is unpaid */
  readonly membership: number | null;
}

interface Billed {
  readonly invoice: number;
  readonly payment: KnownPayment | null;
}

/** Stands for the number of an invoice: a character that no text contains. */
const HOLE = '\uE000';

/** Issues a bill. The payment contains the invoice number, and is written in the same round trip. */
async function issueBill(
  work: Work,
  { invoice, payment, due, dueOn }: ReadyBill,
  { description, membership }: Cause,
): Promise<Billed> {
  const { id } = invoice;
  // The number is known only to the database, in the statement that also writes the payment.
  const [before, after] = storedTexts(work).say('invoice.of', { name: description, number: HOLE }).split(HOLE);
  const [, started] = await Promise.all([
    issueReady(work, invoice),
    payment &&
      startReady(work, payment, {
        payee: { name: 'invoice', id },
        description: sql`${before}::text || ${numberOf(work, id)} || ${after}::text`,
      }),
  ]);
  if (due > 0)
    addCollections(work, [
      {
        invoice: id,
        customerMembership: membership,
        payment: started?.row.id ?? null,
        firstTryOn: addDays(dueOn, 1),
      },
    ]);
  return { invoice: id, payment: started };
}
