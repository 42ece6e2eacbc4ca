/**
 * The facts of the rules for meetings that are not there yet: times that are offered. The statements of the facts read
 * rows of `event`; here a list of planned ones stands under that name, so that every rule and every payer says of a
 * planned meeting what it will say of the meeting, and nothing is written twice.
 */
import {
  customerColumns,
  customerFacts,
  eventColumns,
  eventFacts,
  type CustomerAround,
  type EventAround,
} from './facts.ts';
import { fill, instant, join, sql, statement } from '../../../kernel/db/sql.ts';
import { formatWall } from '../../../kernel/values/zone.ts';
import type { Work } from '../../../kernel/work.ts';

export interface Planned {
  readonly offeringType: number;
  readonly venue: number;
  readonly zone: string;
  /** epoch ms */
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface PlannedFacts {
  readonly around: EventAround;
  /** null: nobody was asked about, or there is no such customer */
  readonly who: CustomerAround | null;
}

/** In the order in which they are asked. One statement, whatever their number. */
export async function readPlanned(
  work: Work,
  planned: readonly Planned[],
  customer: number | null,
): Promise<PlannedFacts[]> {
  if (planned.length === 0) return [];
  const { providerId } = work;
  const columns = eventColumns('e');
  const found = statement(sql`
    WITH event AS (
      SELECT ${providerId}::bigint AS provider_id, -n AS id, p.offering_type_id, p.venue_id, p.timezone, p.starts_at, p.ends_at, p.local_starts_at,
             'active'::text AS status, NULL::int AS max_occupancy, 0 AS attending_count, 0 AS held_count, 0 AS waiting_count,
             NULL::int AS waitlist_max_override, NULL::timestamptz AS calendar_opens_at, '1970-01-01T00:00:00Z'::timestamptz AS created_at
      FROM unnest(${planned.map((p) => p.offeringType)}::bigint[], ${planned.map((p) => p.venue)}::bigint[], ${planned.map((p) => p.zone)}::text[],
                  ${planned.map((p) => instant(p.startsAt))}::timestamptz[], ${planned.map((p) => instant(p.endsAt))}::timestamptz[],
                  ${planned.map((p) => formatWall(p.startsAt, p.zone))}::timestamp[])
           WITH ORDINALITY AS p (offering_type_id, venue_id, timezone, starts_at, ends_at, local_starts_at, n))
    SELECT ${join([...columns, ...customerColumns('c', sql`e.id`)], ', ')}
    FROM event e LEFT JOIN customer c ON c.provider_id = e.provider_id AND c.id = ${customer}::bigint AND c.deleted_at IS NULL
    ORDER BY e.id DESC`);
  const [{ rows }] = await work.tx.send([{ statement: found, values: fill(found.holes, undefined) }]);
  return rows.map((row) => {
    const [forEvent, forCustomer] = [row.slice(0, columns.length), row.slice(columns.length)];
    return { around: eventFacts(forEvent), who: forCustomer[0] === null ? null : customerFacts(forCustomer) };
  });
}
