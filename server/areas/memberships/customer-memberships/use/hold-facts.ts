/**
 * The facts about holds that bookings, usage and lists need. The area of holds writes them, but it depends on the
 * schedule. Every booking reads them, with one index lookup.
 */
import { nowInstant } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const holdOf = (t: string): Sql =>
  raw(`customer_membership_hold h WHERE h.provider_id = ${t}.provider_id AND h.customer_membership_id = ${t}.id`);

const next = (t: string, column: string): Sql =>
  sql`(SELECT ${raw(`h.${column}`)} FROM ${holdOf(t)} AND (h.over_at IS NULL OR h.over_at > ${nowInstant}::timestamptz)
    ORDER BY h.start_date LIMIT 1)`;

/** Returns the current or next hold of customer membership `t`; null if there is none. */
export const activeHold = (t: string): Sql => next(t, 'id');

/** Returns the first day of that hold; `activeHoldEnd` returns its last, null until somebody ends it. */
export const activeHoldStart = (t: string): Sql => next(t, 'start_date');
export const activeHoldEnd = (t: string): Sql => next(t, 'end_date');

/**
 * Returns all of its holds as the jsonb of a list of `{ start, end, prorates }`, with dates of the business;
 * `prorates`: it reduces the allotment.
 */
export const holdsOf = (t: string): Sql => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('start', h.start_date, 'end', h.end_date, 'prorates', h.prorate_usage)
    ORDER BY h.start_date) FROM ${holdOf(t)}), '[]'::jsonb)`;

/** Returns the condition that it is on hold on a day. */
export const restsOn = (t: string, on: Sql): Sql =>
  sql`EXISTS (SELECT FROM ${holdOf(t)} AND h.start_date <= ${on} AND (h.end_date IS NULL OR h.end_date >= ${on}))`;

/**
 * Returns the condition that it is on hold until somebody ends the hold, and that its last day moves with the hold:
 * that day is not known yet.
 */
export const endIsOpen = (t: string): Sql =>
  sql`EXISTS (SELECT FROM ${holdOf(t)} AND h.end_date IS NULL AND h.extend_expirations)`;
