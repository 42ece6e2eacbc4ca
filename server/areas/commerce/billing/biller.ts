/**
 * Billing periods that are due. The rows are written in the transaction that begins the periods; invoices follow later.
 */
import { RetryTransaction } from '../../../kernel/base/db/retry-transaction.ts';
import { billAlone, Changed, settlePeriods } from './bill.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { startOfDay } from '../../../kernel/base/values/zone.ts';
import { paymentSubscriptionFeed } from './feed.ts';
import { linePeriod } from './plan.ts';
import { readFees } from '../../pricing/fees/index.ts';
import { termsOf } from './facts.ts';
import { todayOf } from './today.ts';
import type { DuePeriod, Expected, MembershipBiller } from '../../memberships/customer-memberships/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Creates the payment subscription of each recurring plan that has none. */
async function ensureSubscriptions(work: Work, memberships: readonly number[]): Promise<void> {
  const made = await work.tx.rows<{ id: number; membership: number; customer: number }>(sql`
    WITH made AS (
      INSERT INTO payment_subscription (provider_id, customer_membership_id, created_at, updated_at)
      SELECT DISTINCT ${work.providerId}::bigint, cm, ${instant(work.now)}::timestamptz,
        ${instant(work.now)}::timestamptz
      FROM unnest(${[...memberships]}::bigint[]) AS cm ORDER BY cm
      ON CONFLICT (provider_id, customer_membership_id) DO NOTHING RETURNING id, customer_membership_id)
    SELECT made.id, made.customer_membership_id AS membership, cm.customer_id AS customer
    FROM made JOIN customer_membership cm ON cm.provider_id = ${work.providerId} AND cm.id = made.customer_membership_id
    ORDER BY made.id`);
  for (const { id, membership, customer } of made) {
    work.touch('payment_subscription', id, null);
    work.record(paymentSubscriptionFeed.created, id, {
      payment_subscription: id,
      customer_membership: membership,
      customer,
    });
  }
}

/** Adds billing periods. The database has each period once, even if it is reported again. */
async function addPeriods(work: Work, periods: readonly DuePeriod[]): Promise<void> {
  const each = <T>(of: (period: DuePeriod) => T): T[] => periods.map(of);
  await work.tx.run(sql`
    INSERT INTO billing_period (provider_id, customer_membership_id, period_start, period_end, price_minor, first,
      due_at, created_at, updated_at)
    SELECT ${work.providerId}, membership, starts, ends, price, first, due, ${instant(work.now)}, ${instant(work.now)}
    FROM unnest(${each((p) => p.customerMembership)}::bigint[], ${each((p) => p.start)}::date[],
      ${each((p) => p.end)}::date[],
      ${each((p) => p.price)}::bigint[], ${each((p) => p.first)}::boolean[],
      ${each((p) => instant(startOfDay(p.start, work.tenant.zone)))}::timestamptz[]) WITH ORDINALITY
      AS p (membership, starts, ends, price, first, due, nth)
    ORDER BY nth ON CONFLICT ON CONSTRAINT billing_period_once DO NOTHING`);
}

async function settle(work: Work, customerMembership: number): Promise<void> {
  const due = sql`FROM billing_period WHERE provider_id = ${work.providerId}
    AND customer_membership_id = ${customerMembership} AND state = 'due'`;
  const rows = await work.tx.rows<{ id: number; begun: boolean }>(
    sql`SELECT id, period_start <= ${todayOf(work)}::date AS begun ${due} ORDER BY period_start`,
  );
  if (rows.length === 0) return;
  const { billed = [], skipped = [] } = Object.groupBy(rows, ({ begun }) => (begun ? 'billed' : 'skipped'));
  settlePeriods(
    work,
    'skipped',
    skipped.map(({ id }) => ({ id, invoice: null })),
  );
  for (const { id } of billed) {
    try {
      await billAlone(work, id);
    } catch (err) {
      throw err instanceof Changed ? new RetryTransaction(err.message) : err;
    }
  }
  if (await work.tx.one(sql`SELECT 1 AS one ${due} LIMIT 1`)) throw new RetryTransaction('a period is being billed');
}

/** Prices periods that are not billed yet, like `planPeriod`, with today's fees and the plan's code. */
async function expected(work: Work, customerMembership: number): Promise<Expected> {
  const [fees, rows, terms] = await Promise.all([
    readFees(work.tx, work.providerId),
    work.tx.rows<{ start: string; price: number; state: 'due' | 'billed' | 'skipped'; first: boolean }>(sql`
      SELECT period_start AS start, price_minor AS price, state, first FROM billing_period
      WHERE provider_id = ${work.providerId} AND customer_membership_id = ${customerMembership} ORDER BY period_start`),
    termsOf(work, customerMembership),
  ]);
  const sold = rows.some(({ first }) => first) ? 0 : 1;
  return {
    due: new Map(rows.flatMap(({ start, price, state }) => (state === 'due' ? [[start, price]] : []))),
    line: (day, price, ahead) => {
      const before = rows.filter(({ start, state }) => start < day && state !== 'skipped').length;
      return linePeriod({ terms, fees }, { price, cycle: 1 + before + sold + ahead });
    },
  };
}

export const biller: MembershipBiller = {
  name: 'billing',
  description: 'Invoices and collects billing periods.',
  sold: ensureSubscriptions,
  async due(work, periods) {
    await ensureSubscriptions(
      work,
      periods.map(({ customerMembership }) => customerMembership),
    );
    await addPeriods(work, periods);
  },
  settle,
  expected,
};
