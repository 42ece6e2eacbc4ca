/**
 * Facts for the rules about meetings that don't exist yet: times on offer. The statements for facts read rows of
 * `event`; here, a CTE with that name contains the planned ones. So every rule and every payer decides about a planned
 * meeting as it will about the event, and nothing is written twice.
 */
import { ANYBODY, resolveWindow, type Window, type WindowFacts } from '../rules/window.ts';
import {
  toAsker,
  customerColumns,
  customerFacts,
  eventColumns,
  eventFacts,
  surroundings,
  type CustomerAround,
  type EventAround,
} from './facts.ts';
import { fill, instant, join, raw, sql, statement, type Sql } from '../../../../kernel/base/db/sql.ts';
import { formatWall } from '../../../../kernel/base/values/zone.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Planned {
  readonly offeringType: number;
  readonly venue: number;
  readonly zone: string;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface PlannedFacts {
  readonly around: EventAround;
  /** null if no customer was requested, or the customer does not exist */
  readonly who: CustomerAround | null;
}

/** Reads the facts in the order of the meetings, with one statement for any number of them. */
export async function readPlanned(
  work: Work,
  planned: readonly Planned[],
  customer: number | null,
): Promise<PlannedFacts[]> {
  if (planned.length === 0) return [];
  const { providerId } = work;
  // No fragment uses this name as an inner alias, which would shadow it.
  const columns = eventColumns('planned');
  const found = statement(sql`
    WITH event AS (
      SELECT ${providerId}::bigint AS provider_id, -n AS id, p.offering_type_id, p.venue_id, p.timezone, p.starts_at,
        p.ends_at, p.local_starts_at,
             'active'::text AS status, NULL::int AS max_occupancy, 0 AS attending_count, 0 AS held_count,
             0 AS waiting_count, NULL::int AS online_max_occupancy, 0 AS online_attending_count,
             0 AS online_held_count, 0 AS online_waiting_count,
             NULL::int AS waitlist_max_override, NULL::timestamptz AS calendar_opens_at,
             '1970-01-01T00:00:00Z'::timestamptz AS created_at
      FROM unnest(${planned.map((p) => p.offeringType)}::bigint[], ${planned.map((p) => p.venue)}::bigint[],
        ${planned.map((p) => p.zone)}::text[],
                  ${planned.map((p) => instant(p.startsAt))}::timestamptz[],
                  ${planned.map((p) => instant(p.endsAt))}::timestamptz[],
                  ${planned.map((p) => formatWall(p.startsAt, p.zone))}::timestamp[])
           WITH ORDINALITY AS p (offering_type_id, venue_id, timezone, starts_at, ends_at, local_starts_at, n))
    SELECT ${join([...columns, ...customerColumns('c', sql`planned.id`)], ', ')}
    FROM event planned LEFT JOIN customer c ON c.provider_id = planned.provider_id AND c.id = ${customer}::bigint
      AND c.deleted_at IS NULL
    ORDER BY planned.id DESC`);
  const [{ rows }] = await work.tx.send([{ statement: found, values: fill(found.holes, undefined) }]);
  return rows.map((row) => {
    const [forEvent, forCustomer] = [row.slice(0, columns.length), row.slice(columns.length)];
    return { around: eventFacts(forEvent), who: forCustomer[0] === null ? null : customerFacts(forCustomer) };
  });
}

/** The surroundings that all meetings of an offering type share, at any time. */
export type OfferFacts = Pick<EventAround, 'windowFacts' | 'hidden' | 'membersOnly' | 'price'>;

/** Returns one jsonb for the offering type with the alias `o`; read it with `offerFacts`. */
export const offerColumn = (o: string): Sql =>
  sql`
    (SELECT ${surroundings('e')} FROM (SELECT ${raw(o)}.provider_id, 0::bigint AS id, ${raw(o)}.id AS offering_type_id,
         0::bigint AS venue_id, NULL::int AS waitlist_max_override) e)`;

const EPOCH = '1970-01-01 00:00:00+00';

export const offerFacts = (text: string): OfferFacts =>
  eventFacts(['active', EPOCH, EPOCH, 'UTC', null, '0', '0', '0', null, '0', '0', '0', null, EPOCH, text]);

/**
 * Returns the booking window of a meeting that starts at this time; null if the person may not book at all. If `who` is
 * null, the window for anybody.
 */
export const plannedWindow = (
  facts: { readonly windowFacts: WindowFacts },
  who: CustomerAround | null,
  startsAt: number,
  staff = false,
): Window | null =>
  resolveWindow({ ...facts.windowFacts, startsAt }, who ? toAsker(who, staff) : { ...ANYBODY, staff });
