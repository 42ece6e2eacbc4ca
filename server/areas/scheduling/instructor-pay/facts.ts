/** The facts that pay depends on: rates, the instructors of sessions, and attendance. */
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { SCOPES, type RateRow } from './pay-rate.ts';
import type { Scope, Taught } from './rules/select-rate.ts';
import type { Session, Terms } from './rules/pay.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A rate as the rules need it. */
export interface Rate extends Scope {
  readonly version: number;
  readonly terms: Terms;
}

const idsIn = ({ table, parent, child }: (typeof SCOPES)[keyof typeof SCOPES]): Sql =>
  raw(`ARRAY(SELECT l.${child} FROM ${table} l WHERE l.provider_id = r.provider_id AND l.${parent} = r.id ORDER BY 1)`);

/** Reads rates with the alias `r`; by default, all that are in use. */
export async function readRates({ tx, providerId }: Work, where = sql`NOT r.archived`): Promise<Rate[]> {
  const rows = await tx.rows<RateRow & { instructors: number[]; offering_types: number[]; venues: number[] }>(sql`
    SELECT r.*, ${idsIn(SCOPES.instructors)} AS instructors, ${idsIn(SCOPES.offering_types)} AS offering_types,
      ${idsIn(SCOPES.venues)} AS venues
    FROM instructor_pay_rate r WHERE r.provider_id = ${providerId} AND ${where} ORDER BY r.id`);
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    instructors: row.instructors,
    offeringTypes: row.offering_types,
    venues: row.venues,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    archived: row.archived,
    terms: {
      name: row.name,
      type: row.type,
      base: row.base_minor,
      tiers: row.tiers,
      counted: row.counted_statuses,
      countsComped: row.counts_comped,
      paysEmpty: row.pays_empty_sessions,
      minimum: row.minimum_minor,
      maximum: row.maximum_minor,
    },
  }));
}

export interface TaughtSession extends Taught, Session {
  readonly event: number;
}

/** Sessions are all events with an instructor, except room rentals, which nobody teaches. */
const TAUGHT = raw(`event e
  JOIN event_instructor t ON t.provider_id = e.provider_id AND t.event_id = e.id
  JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
    AND o.schedule_type <> 'room_rental'`);

const WHAT = raw(`t.instructor_id AS instructor, e.offering_type_id AS "offeringType", e.venue_id AS venue,
  e.local_starts_at::date AS day`);

/** Reads those of these events that took place and have ended, once for each instructor. */
export const readTaught = ({ tx, providerId, now }: Work, events: readonly number[]): Promise<TaughtSession[]> =>
  tx.rows<TaughtSession & Record<string, unknown>>(sql`
    SELECT e.id AS event, ${WHAT}, (extract(epoch FROM e.ends_at - e.starts_at) / 60)::int AS minutes,
      (SELECT coalesce(jsonb_agg(b ORDER BY b.status, b.comped), '[]') FROM (
        SELECT a.status, a.comped, count(*)::int AS n FROM attendance a
        WHERE a.provider_id = e.provider_id AND a.event_id = e.id AND a.status <> 'not_registered' GROUP BY 1, 2) b)
          AS bookings
    FROM ${TAUGHT}
    WHERE e.provider_id = ${providerId} AND e.id = ANY(${events}::bigint[]) AND e.status = 'active'
      AND e.ends_at <= ${instant(now)}::timestamptz
    ORDER BY e.id, t.instructor_id`);

/** Reads the past and future sessions of an instructor on some days. */
export const readPlan = (
  { tx, providerId }: Work,
  { instructor, from, to, venues }: { instructor: number; from: string; to: string; venues: readonly number[] | null },
): Promise<Taught[]> =>
  tx.rows<Taught & Record<string, unknown>>(sql`
    SELECT ${WHAT} FROM ${TAUGHT}
    WHERE e.provider_id = ${providerId} AND t.provider_id = ${providerId} AND t.instructor_id = ${instructor}
      AND e.status = 'active'
      AND e.local_starts_at >= ${from}::date AND e.local_starts_at < ${to}::date + 1
      AND (${venues}::bigint[] IS NULL OR e.venue_id = ANY(${venues}::bigint[]))
    ORDER BY e.local_starts_at, e.id`);
