/** Requirements that customers have not settled for the events that they booked. */
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { requirements } from './requirements.ts';
import type { Requirement } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Bookings that are looked at: the next ones of all customers together. */
const MAX_BOOKINGS = 20;

/** A requirement, with the first of the booked events that it is needed for. */
export interface Unsettled extends Requirement {
  readonly event: {
    readonly id: number;
    readonly name: string;
    /** in epoch milliseconds */
    readonly startsAt: number;
    readonly zone: string;
  };
}

interface Booked {
  readonly customer: number;
  readonly event: number;
  readonly name: string;
  readonly starts_at: number;
  readonly timezone: string;
  readonly known: readonly unknown[];
}

/** Returns what the customers have to settle for their next bookings, each once, in the order of the events. */
export async function readUnsettled(
  { tx, providerId, now }: Pick<Work, 'tx' | 'providerId' | 'now'>,
  customers: readonly number[],
): Promise<Unsettled[]> {
  const booked = await tx.rows<Booked>(sql`
    SELECT c.id AS customer, e.id AS event, e.name, e.starts_at, e.timezone,
      ${requirements.filled.column('c', raw('e.id'))} AS known
    FROM attendance a
    JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id AND e.status = 'active'
      AND e.starts_at > ${instant(now)}::timestamptz
    JOIN customer c ON c.provider_id = a.provider_id AND c.id = a.customer_id AND c.deleted_at IS NULL
    WHERE a.provider_id = ${providerId} AND a.customer_id = ANY(${customers}::bigint[]) AND a.status = 'registered'
    ORDER BY e.starts_at, a.id LIMIT ${MAX_BOOKINGS}`);
  const first = new Map<string, Unsettled>();
  for (const { customer, event: id, name, starts_at: startsAt, timezone: zone, known } of booked)
    for (const one of requirements.filled.missing(providerId, customer, known, { now, startsAt })) {
      const key = `${one.kind} ${one.id} ${customer}`;
      if (!first.has(key)) first.set(key, { ...one, event: { id, name, startsAt, zone } });
    }
  return [...first.values()];
}
