/**
 * Bills a customer in one transaction: the invoice, what account credit pays of it, and the payment of the rest, which
 * goes on when this is committed. Killed before that, nothing has happened; after it, all of it.
 */
import { issueInvoice, type Issued } from '../../money/invoices/index.ts';
import { factsOfAccount, factsOfPlan, type AccountFacts } from './facts.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { planCharges, planPeriod, type Period, type PlannedInvoice } from './plan.ts';
import { readyPayment, startReady } from '../../money/payments/index.ts';
import { addCollection } from './collections.ts';
import { addDays } from '../../../kernel/values/date.ts';
import { todayOf } from './today.ts';
import type { Work } from '../../../kernel/work.ts';

interface DueRow extends Record<string, unknown>, Period {
  readonly mistake: boolean;
}

/** A billing period that is due, of which membership. Ids. */
export interface DuePeriod {
  readonly id: number;
  readonly membership: number;
}

/** How many payments came before the billing period under alias `p`; the first one may have been made with the sale. */
export const cycleOf = sql`1 + (SELECT count(*) FILTER (WHERE b.period_start < p.period_start AND b.state <> 'skipped')
    + CASE WHEN bool_or(b.first) THEN 0 ELSE 1 END
  FROM billing_period b WHERE b.provider_id = p.provider_id AND b.customer_membership_id = p.customer_membership_id)::int`;

/**
 * Bills a period that is due, once: of two who come at the same moment, one finds nothing. Returns the payment to go on
 * with when this is committed; null: there is none.
 */
export async function billPeriod(work: Work, { id, membership }: DuePeriod): Promise<number | null> {
  const [row, facts] = await Promise.all([
    work.tx.one<DueRow>(sql`
      SELECT p.period_start AS start, p.period_end AS "end", p.price_minor AS price,
        ${cycleOf} AS cycle, coalesce(cm.cancellation_reason = 'mistake', false) AS mistake
      FROM billing_period p JOIN customer_membership cm ON cm.provider_id = p.provider_id AND cm.id = p.customer_membership_id
      WHERE p.provider_id = ${work.providerId} AND p.id = ${id} AND p.state = 'due' FOR UPDATE OF p SKIP LOCKED`),
    factsOfPlan(work, membership),
  ]);
  if (row === undefined) return null;
  if (row.mistake) {
    settlePeriod(work, id, 'skipped', null);
    return null;
  }
  const plan = planPeriod(facts, row, todayOf(work));
  const about = { object: 'payment_subscription', id: facts.subscription };
  const { invoice, payment } = await issue(work, facts, plan, { about, description: facts.name, membership });
  settlePeriod(work, id, 'billed', invoice.id);
  return payment;
}

/** The database refuses a second invoice for the same period. */
const settlePeriod = (work: Work, id: number, state: 'billed' | 'skipped', invoice: number | null): void =>
  work.tx
    .later(sql`UPDATE billing_period SET state = ${state}, invoice_id = ${invoice}, updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId} AND id = ${id}`);

/** Bills the charges of an account that are due. Returns the payment to go on with; null: there is none. */
export async function billAccount(work: Work, customer: number): Promise<number | null> {
  const facts = await factsOfAccount(work, customer);
  const plan = planCharges(facts, todayOf(work));
  // Another invoice has collected them in the meantime.
  if (!plan.entries.some(({ kind }) => kind === 'charge')) return null;
  const about = { object: 'customer', id: customer };
  return (await issue(work, facts, plan, { about, description: plan.lines[0].description, membership: null })).payment;
}

interface Cause {
  readonly about: { readonly object: string; readonly id: number };
  /** what the payer reads on their statement */
  readonly description: string;
  /** what can't be used if it stays unpaid */
  readonly membership: number | null;
}

interface Done {
  readonly invoice: Issued;
  readonly payment: number | null;
}

/** Whatever can wait for others comes before the number of the invoice, which others wait for until this is committed. */
async function issue(
  work: Work,
  { payer, method }: AccountFacts,
  { lines, credit, due, dueOn, code }: PlannedInvoice,
  { about, description, membership }: Cause,
): Promise<Done> {
  const charge = due > 0 ? method : null;
  const [invoice, ready] = await Promise.all([
    issueInvoice(work, {
      payer,
      about,
      dueOn,
      lines,
      discountCode: code,
      credit: credit > 0 ? { amount: credit, from: 'credit' } : undefined,
      pending: charge !== null,
    }),
    charge && readyPayment(work, { processor: charge.processor, payer, amount: due, method: charge.id }),
  ]);
  const payment =
    ready &&
    (await startReady(work, ready, {
      payee: { name: 'invoice', id: invoice.id },
      description: `${description}, invoice ${invoice.number}`,
    }));
  if (due > 0)
    addCollection(work, {
      invoice: invoice.id,
      customerMembership: membership,
      payment,
      firstTryOn: addDays(dueOn, 1),
    });
  return { invoice, payment };
}
