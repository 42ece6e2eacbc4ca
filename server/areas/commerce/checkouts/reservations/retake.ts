/** Appointments and rentals whose checkout had ended before its payment arrived. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockHeld } from './held.ts';
import { slotAt, takeSlot } from '../../../availability/slots/index.ts';
import type { CheckoutRow, ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Ended {
  readonly id: number;
  readonly offering_type_id: number;
  readonly venue_id: number;
  readonly venue_room_id: number | null;
  readonly instructor_id: number | null;
  /** local time of the venue */
  readonly local_starts_at: string;
}

/**
 * Books the same time again if it is still free, because a payment arrived after the checkout and its appointments had
 * ended. Skips times that the business cancelled before.
 * @throws Problem `slot_taken`
 */
export async function takeAgain(
  work: Work,
  checkout: CheckoutRow,
  items: readonly ItemRow[],
): Promise<readonly ItemRow[]> {
  const taken = items.filter(({ slot }) => slot !== null);
  if (taken.length === 0 || (checkout.status !== 'expired' && checkout.status !== 'cancelled')) return items;
  await lockHeld(work, items);
  const ended = await work.tx.rows<Ended>(sql`
    SELECT e.id, e.offering_type_id, e.venue_id, e.venue_room_id, e.local_starts_at,
      (SELECT min(i.instructor_id) FROM event_instructor i WHERE i.provider_id = e.provider_id AND i.event_id = e.id) AS instructor_id
    FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ANY(${taken.map((item) => item.event_id)}::bigint[])
      AND e.status = 'cancelled' AND e.cancelled_at >= ${instant(endOf(checkout))}`);
  const events = new Map<number, number>();
  for (const one of ended) events.set(one.id, await takeTime(work, one));
  const again = items.map((item) => ({ ...item, event_id: events.get(item.event_id!) ?? item.event_id }));
  const moved = again.filter((item, n) => item.event_id !== items[n].event_id);
  if (moved.length > 0)
    await work.tx.run(sql`UPDATE checkout_item i SET event_id = n.event_id, updated_at = ${instant(work.now)}
      FROM unnest(${moved.map((item) => item.id)}::bigint[], ${moved.map((item) => item.event_id)}::bigint[]) AS n (id, event_id)
      WHERE i.provider_id = ${work.providerId} AND i.id = n.id`);
  return again;
}

/** Seats may be released when their time ends, before the checkout itself ends. */
const endOf = ({ ended_at, expires_at }: CheckoutRow): number => Math.min(ended_at as number, expires_at);

async function takeTime(work: Work, one: Ended): Promise<number> {
  const found = await slotAt(work, {
    offeringType: one.offering_type_id,
    instructor: one.instructor_id,
    venue: one.venue_id,
    room: one.venue_room_id,
    localStartsAt: one.local_starts_at,
    people: 1,
  });
  if ('refused' in found) throw found.refused;
  return (await takeSlot(work, { slot: found.slot, people: 1 })).event;
}
