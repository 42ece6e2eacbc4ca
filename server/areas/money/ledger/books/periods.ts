/** Closes the books of past days, and reopens them. */
import { accountingPeriod, periodStatus, PERIOD_STATUSES, type PeriodRow } from './accounting-period.ts';
import { action, filter, one, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { date, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { lastClosed, sumsOf, totalsOf, transactionsOf, type AccountTotal } from './balance.ts';
import { LEDGER_PROBLEMS } from '../problems.ts';
import { accountingPeriodFeed } from '../feed.ts';
import { periodThrough } from '../rules/period.ts';
import { checkDay, postedWithin } from './range.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin', 'revenue');

const findPeriods = [
  ...listAndGet(accountingPeriod, {
    path: '/accounting_periods',
    summary: 'List accounting periods',
    get: 'Get an accounting period',
    who,
    filters: {
      status: filter(listOf(oneOf(PERIOD_STATUSES)), (t, wanted) => sql`${periodStatus(t)} = ANY(${wanted}::text[])`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, end_date: { by: (t) => raw(`${t}.end_on`) } },
  }),
];

/** Locks the days of all books: waits for postings in progress, and blocks new ones. */
const holdDays = ({ tx, providerId }: Work) => tx.run(sql`SELECT hold_accounting_days(${providerId})`);

const close = action({
  path: '/accounting_periods/close',
  summary: 'Close the books through a day',
  description:
    'Closes all days that are not closed yet, up to and including this one. From then on, nothing is posted on them. `?dry_run=true` shows the totals and what is still open: what customers owe is not lost, and what they pay later is posted later.',
  who,
  body: { through: date().describe('The last day to be closed, by the calendar of the business. It must be over.') },
  returns: one(accountingPeriod),
  run: async ({ work, body: { through } }) => {
    checkDay('through', through);
    await holdDays(work);
    const today = wallAt(work.now, work.tenant.zone).date;
    const closedThrough = (await lastClosed(work))?.end_on ?? null;
    const decision = periodThrough(through, { today, closedThrough, firstPosting: await firstPosting(work) });
    if ('refused' in decision)
      throw invalid(
        'through',
        decision.refused === 'not_over'
          ? `The day must be over: today is ${today}, and money is posted on it. Choose an earlier day.`
          : `The books are already closed through ${closedThrough}. Choose a later day.`,
      );
    const { from, to } = decision.closes;
    const totals = await totalsOf(work, { from, to });
    const sums = sumsOf(totals);
    const id = await insertRow(work, 'accounting_period', {
      start_on: from,
      end_on: to,
      transactions: await transactionsOf(work, { from, to }),
      debits_minor: sums.debits,
      closed_at: instant(work.now),
    });
    await keepTotals(work, id, totals);
    await tellOpen(work, id, to);
    work.record(accountingPeriodFeed.closed, id, { accounting_period: id, start_date: from, end_date: to });
    return id;
  },
});

const firstPosting = async ({ tx, providerId }: Work): Promise<string | null> =>
  (
    await tx.one<{ first: string }>(
      sql`SELECT posted_on AS first FROM ledger_transaction WHERE provider_id = ${providerId}
        ORDER BY posted_at, id LIMIT 1`,
    )
  )?.first ?? null;

async function keepTotals(work: Work, id: number, totals: readonly AccountTotal[]): Promise<void> {
  const { currency } = work.tenant;
  const each = <T>(of: (one: AccountTotal) => T): T[] => totals.map(of);
  await work.tx.run(sql`
    INSERT INTO accounting_period_total
      (provider_id, accounting_period_id, account, detail, opening_minor, debits_minor, credits_minor)
    SELECT ${work.providerId}, ${id}, *
    FROM unnest(${each((t) => t.account)}::text[], ${each((t) => t.detail ?? '')}::text[],
      ${each((t) => t.opening)}::bigint[], ${each((t) => t.debits)}::bigint[], ${each((t) => t.credits)}::bigint[])`);
  const text = (minor: number): string => formatDecimal({ minor, currency });
  for (const { account, detail, opening, debits, credits, closing } of totals)
    work.effect('total', 'accounting_period', id, {
      account,
      detail,
      opening: text(opening),
      debits: text(debits),
      credits: text(credits),
      closing: text(closing),
    });
}

/**
 * Adds the effect for open balances, what customers owe and what is unbilled or unused: they stay open, and are settled
 * in a later period.
 */
async function tellOpen(work: Work, id: number, to: string): Promise<void> {
  const open = await work.tx.rows<{ account: string; customers: number; amount: number }>(sql`
    SELECT account, count(*) AS customers, sum(amount)::bigint AS amount FROM (
      SELECT l.account, l.customer_id, sum(l.amount_minor) AS amount
      FROM ledger_transaction t JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
      WHERE t.provider_id = ${work.providerId} AND ${postedWithin('t', { from: null, to })}
        AND l.account IN ('receivable', 'unbilled', 'credit_held', 'unapplied')
      GROUP BY 1, 2 HAVING sum(l.amount_minor) <> 0) x
    GROUP BY account ORDER BY account`);
  for (const { account, customers, amount } of open)
    work.effect('still_open', 'accounting_period', id, {
      account,
      customers,
      amount: formatDecimal({ minor: amount, currency: work.tenant.currency }),
    });
  const check = await work.tx.one<{ checked_on: string; n: number }>(
    sql`SELECT checked_on, cardinality(differences) AS n FROM ledger_check WHERE provider_id = ${work.providerId}`,
  );
  if (check && check.n > 0)
    work.effect('ledger_differs', 'accounting_period', id, { checked_on: check.checked_on, differences: check.n });
}

const reopen = action({
  path: '/accounting_periods/{id}/reopen',
  summary: 'Reopen an accounting period',
  description:
    'Its days can be posted on again, until they are closed by another period. Only the last closed period can be reopened. Reopening one that is already reopened changes nothing.',
  who: staffWith('super_admin'),
  target: accountingPeriod,
  unlocked: true,
  body: { reason: text({ max: 1000 }).describe('Why, for the people who read the books.') },
  returns: one(accountingPeriod),
  problems: [LEDGER_PROBLEMS.accounting_period_not_last],
  run: async ({ work, target: { id }, body: { reason } }) => {
    await holdDays(work);
    const period = (await work.tx.one<PeriodRow & Record<string, unknown>>(
      sql`SELECT * FROM accounting_period WHERE provider_id = ${work.providerId} AND id = ${id}`,
    ))!;
    if (period.reopened_at !== null) return id;
    const last = (await lastClosed(work))!;
    if (last.id !== id)
      throw new Problem(
        LEDGER_PROBLEMS.accounting_period_not_last,
        `A later accounting period is closed through ${last.end_on}. Reopen accounting period ${last.id} first.`,
      );
    work.touch('accounting_period', id, period);
    await updateRow(work, 'accounting_period', id, { reopened_at: instant(work.now), reopen_reason: reason });
    const { start_on, end_on } = period;
    work.record(accountingPeriodFeed.reopened, id, { accounting_period: id, start_date: start_on, end_date: end_on });
    return id;
  },
});

export const periodEndpoints = [...findPeriods, close, reopen];

/**
 * Checks a change of the time zone. A business that moves westwards may repeat a day. If that day is already closed,
 * everything that posts to the ledger would be refused until it has ended once more.
 */
export async function checkZone(work: Work, zone: unknown): Promise<void> {
  if (typeof zone !== 'string' || zone === work.tenant.zone) return;
  const closed = await lastClosed(work);
  const today = wallAt(work.now, zone).date;
  if (closed !== null && today <= closed.end_on)
    throw invalid(
      'timezone',
      `It is ${today} there, and the books are closed through ${closed.end_on}. Change the time zone tomorrow, or reopen accounting period ${closed.id} first.`,
    );
}
