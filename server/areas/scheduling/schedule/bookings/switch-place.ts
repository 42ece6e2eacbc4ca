/**
 * A booking switches between a place at the venue and one online of the same event, while one of the other kind is
 * free. It stays the same booking, and a membership pays for both. If the price pays and the other kind has another
 * one, only staff switch it: the price is given back, and the other one is charged to the account.
 */
import { action, one } from '../../../../kernel/api/endpoint.ts';
import { atPlace, changeCounts, placeKinds, reservedUntil } from './facts.ts';
import { attendance } from '../attendance/attendance.ts';
import { BOOKS_EVERYWHERE } from '../sight.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { checkBooked, readBooking } from './unregister.ts';
import { checkTeaches } from '../attendance/marking.ts';
import { eventRegistrationFeed } from '../feed.ts';
import { endSpotOfBooked } from '../waitlist/spot-of-booked.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockEvent } from '../waitlist/waiting.ts';
import { noOnlinePlaces, SCHEDULE_PROBLEMS } from '../problems.ts';
import { many, say } from '../../../../kernel/base/values/words.ts';
import { oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { passOnOrEnd } from '../events/empty-appointments.ts';
import { costsOther, otherPrice } from './place-price.ts';
import { payers } from './payer-port.ts';
import { readCustomers } from './read-facts.ts';
import { PLACES, type Place } from '../rules/booking.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { whoBooks } from './booking-endpoints.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Switch {
  readonly event: number;
  readonly customer: number;
  readonly place: Place;
}

/** Switches the booking, and passes the place that it leaves on to the waitlist. @throws Problem if it can't */
async function switchPlace(work: Work, { event, customer, place }: Switch): Promise<void> {
  await lockEvent(work, event);
  // Everybody who may get the freed place is locked together with the customer, in one order.
  await payers.filled.lock(
    work,
    sql`ARRAY(SELECT ${customer}::bigint UNION SELECT s.customer_id FROM waitlist_spot s
      WHERE s.provider_id = ${work.providerId} AND s.event_id = ${event} AND s.ended_at IS NULL)`,
  );
  const [ending, customers] = await Promise.all([
    readBooking(work, event, customer),
    readCustomers(work, event, [customer]),
    checkActsFor(work, customer),
    checkTeaches(work, event, ...BOOKS_EVERYWHERE),
  ]);
  const { around } = ending;
  const booking = checkBooked(work, ending);
  if (booking.place === place) return;
  if (!placeKinds(around).includes(place)) throw noOnlinePlaces().about(around.event.kind);
  const who = customers.get(customer)!;
  const { maxOccupancy, attending, held } = atPlace(around, place).event;
  const kept = (reservedUntil(who, place) ?? -Infinity) > work.now ? 1 : 0;
  if (maxOccupancy !== null && attending + held - kept >= maxOccupancy) throw full(place).about(around.event.kind);
  const isRepriced = costsOther(around, who, place);
  if (isRepriced && work.viewer.mode !== 'provider') throw otherPrice();
  work.touch('attendance', booking.id, booking);
  const spot = who.spot && (await endSpotOfBooked(work, { event, customer, attendance: booking.id }, 'switched'));
  if (isRepriced) await payers.filled.credit(work, sql`a.id = ${booking.id}`, 'switched');
  await work.tx.run(
    sql`UPDATE attendance SET place = ${place}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ${booking.id}`,
  );
  const of = { attendance: booking.id, event, customer };
  work.record(eventRegistrationFeed.switched, booking.id, { ...of, place, from: 'request' });
  work.effect('place_switched', 'attendance', booking.id, { event, customer, place });
  if (isRepriced && atPlace(around, place).price !== null)
    await payers.filled.charge([{ work, attendance: booking.id, event, customer, place }]);
  const ended = spot ? changeCounts(around, spot.place, spot.counts) : around;
  const left = changeCounts(changeCounts(ended, booking.place, { attending: -1 }), place, { attending: 1 });
  await passOnOrEnd(work, event, { around: left, queue: null });
}

const full = (place: Place): Problem =>
  new Problem(
    SCHEDULE_PROBLEMS.event_full,
    place === 'online'
      ? { staff: 'No place online is free.', customer: say`All ${many.spot} online are taken.` }
      : { staff: 'No place at the venue is free.', customer: say`All ${many.spot} in person are taken.` },
  );

export const switchPlaceEndpoint = action({
  path: '/attendances/{id}/switch_place',
  summary: 'Switch a booking between the venue and online',
  description:
    'For an event that has places online too, while one of the other kind is free. A membership that pays for the ' +
    'booking stays. If the places have different prices, staff switch it: the price that was paid is given back, and ' +
    'the other one is charged to the account. ' +
    'The place that it leaves goes to the waitlist immediately. Returns the attendance.',
  who: whoBooks,
  target: attendance,
  unlocked: true,
  body: { place: oneOf(PLACES) },
  returns: one(attendance),
  tells: true,
  problems: [
    SCHEDULE_PROBLEMS.event_full,
    SCHEDULE_PROBLEMS.event_started,
    SCHEDULE_PROBLEMS.no_online_places,
    SCHEDULE_PROBLEMS.other_price,
    SCHEDULE_PROBLEMS.not_registered,
    SCHEDULE_PROBLEMS.attendance_already_marked,
  ],
  run: async ({ work, body, target }) => {
    await switchPlace(work, { event: target.event_id, customer: target.customer_id, place: body.place });
    return target.id;
  },
});
