/** Days whose books are asked for, by the calendar of the business; both belong to it. */
import { addDays } from '../../../../kernel/values/date.ts';
import { date } from '../../../../kernel/api/kinds.ts';
import { invalid } from '../../../../kernel/api/problem.ts';
import { raw, sql, type Sql } from '../../../../kernel/db/sql.ts';

export interface Range {
  readonly from: string;
  readonly to: string;
}

export const rangeQuery = {
  from: date().describe('The first day, by the calendar of the business.'),
  to: date().describe('The last day.'),
};

/** @throws Problem that names what is wrong */
export function checkRange({ from, to }: Range): Range {
  if (to < from) throw invalid('to', 'Must not be before `from`.');
  return { from, to };
}

/**
 * Transactions under alias `t` that were posted on these days. The index knows moments, and no zone is more than a day
 * away from UTC, so a day more on either side has all of them.
 */
export const postedWithin = (t: string, { from, to }: { from: string | null; to: string }): Sql => {
  const before = sql`${raw(t)}.posted_at < ${`${addDays(to, 2)}T00:00:00Z`}::timestamptz AND ${raw(t)}.posted_on <= ${to}::date`;
  return from === null
    ? before
    : sql`${before} AND ${raw(t)}.posted_at >= ${`${addDays(from, -1)}T00:00:00Z`}::timestamptz AND ${raw(t)}.posted_on >= ${from}::date`;
};
