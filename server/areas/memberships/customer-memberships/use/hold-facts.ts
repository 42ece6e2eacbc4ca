/**
 * What bookings, counting and lists know of the holds of a customer membership. The area of holds keeps them; it stands
 * behind the schedule, and what is here is asked by every booking: one look into one index.
 */
import { nowInstant } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const holdOf = (t: string): Sql =>
  raw(`customer_membership_hold h WHERE h.provider_id = ${t}.provider_id AND h.customer_membership_id = ${t}.id`);

const next = (t: string, column: string): Sql =>
  sql`(SELECT ${raw(`h.${column}`)} FROM ${holdOf(t)} AND (h.over_at IS NULL OR h.over_at > ${nowInstant}::timestamptz) ORDER BY h.start_date LIMIT 1)`;

/** The hold that customer membership `t` is in, or the next that is to come; null: none. */
export const activeHold = (t: string): Sql => next(t, 'id');

/** First day of that hold, and its last (null: nobody has ended it). */
export const activeHoldStart = (t: string): Sql => next(t, 'start_date');
export const activeHoldEnd = (t: string): Sql => next(t, 'end_date');

/**
 * All of its holds as jsonb: a list of `{ start, end, prorates }`, dates of the business; `prorates`: it shrinks what
 * may be used.
 */
export const holdsOf = (t: string): Sql => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('start', h.start_date, 'end', h.end_date, 'prorates', h.prorate_usage) ORDER BY h.start_date) FROM ${holdOf(t)}), '[]'::jsonb)`;

/** It rests on a day. */
export const restsOn = (t: string, on: Sql): Sql =>
  sql`EXISTS (SELECT FROM ${holdOf(t)} AND h.start_date <= ${on} AND (h.end_date IS NULL OR h.end_date >= ${on}))`;

/** It rests until somebody ends that, and its last day moves with it: nobody knows that day yet. */
export const endIsOpen = (t: string): Sql =>
  sql`EXISTS (SELECT FROM ${holdOf(t)} AND h.end_date IS NULL AND h.extend_expirations)`;
