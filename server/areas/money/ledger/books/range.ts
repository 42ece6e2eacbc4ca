/** A range of days by the calendar of the business, both ends included. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { date } from '../../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

export interface Range {
  readonly from: string;
  readonly to: string;
}

export const rangeQuery = {
  from: date().describe('The first day, by the calendar of the business.'),
  to: date().describe('The last day.'),
};

/** One day before and two days after must be valid dates too. */
const [EARLIEST, LATEST] = ['1900-01-01', '2999-12-31'];

/** Checks a day. @throws Problem that names the property */
export function checkDay(field: string, day: string): void {
  if (day < EARLIEST || day > LATEST) throw invalid(field, `Must be between ${EARLIEST} and ${LATEST}.`);
}

/** Checks a range. @throws Problem that names the property */
export function checkRange({ from, to }: Range): Range {
  checkDay('from', from);
  checkDay('to', to);
  if (to < from) throw invalid('to', 'Must not be before `from`.');
  return { from, to };
}

/**
 * Returns the condition for transactions with the alias `t` that were posted on these days. The index has instants, and
 * no zone is more than a day away from UTC, so one more day on either side includes all of them.
 */
export const postedWithin = (t: string, { from, to }: { from: string | null; to: string }): Sql => {
  const before = sql`${raw(t)}.posted_at < ${`${addDays(to, 2)}T00:00:00Z`}::timestamptz
    AND ${raw(t)}.posted_on <= ${to}::date`;
  return from === null
    ? before
    : sql`${before} AND ${raw(t)}.posted_at >= ${`${addDays(from, -1)}T00:00:00Z`}::timestamptz
      AND ${raw(t)}.posted_on >= ${from}::date`;
};
