/**
 * A booking moves to another event: it ends there and is made here in one transaction, or nothing happens. Staff move
 * it, and the customer still comes, so it is never a late cancellation. Payments that would be refunded move along if
 * the price is the same.
 */
import { alreadyRegistered } from '../waitlist/seat-holds.ts';
import { checkTeaches } from '../attendance/marking.ts';
import { endBooking, readBooking, type Ending } from './unregister.ts';
import { eventRegistrationFeed } from '../feed.ts';
import { BOOKS_EVERYWHERE } from '../sight.ts';
import { hasSeat } from '../has-seat.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { lockEvents, newAttendance } from '../waitlist/waiting.ts';
import { payers } from './payer-port.ts';
import { readCustomers, readEvent } from './read-facts.ts';
import { register } from './register.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { atPlace, placeKinds, type EventAround } from './facts.ts';
import type { Place } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A booking, by the ids of its event and its customer, and the event that it moves to. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly customer: number;
}

/** Moves the booking, and returns the id of the new attendance. @throws Problem if it can't be ended or made */
export async function moveBooking(work: Work, { from, to, customer }: Move): Promise<number> {
  if (from === to) throw invalid('event', 'The customer is already booked on this event. Name another one.');
  await lockEvents(work, [from, to]);
  // Everybody who may get the freed place is locked together with the customer, in one order.
  await payers.filled.lock(
    work,
    sql`ARRAY(SELECT ${customer}::bigint UNION SELECT s.customer_id FROM waitlist_spot s
      WHERE s.provider_id = ${work.providerId} AND s.event_id = ${from} AND s.ended_at IS NULL)`,
  );
  const [ending, target] = await Promise.all([
    readBooking(work, from, customer),
    readEvent(work, to),
    checkTeaches(work, from, ...BOOKS_EVERYWHERE),
  ]);
  if (!target) throw invalid('event', `There is no event with the id ${to}.`);
  if (ending.around.onDemand || target.onDemand)
    throw invalid('event', 'An appointment or a rental moves as a whole. Reschedule it instead.');
  await carryPayment(work, ending, target, to);
  const { attendance: left } = await endBooking(work, ending, { staffSays: false, isMoved: true });
  const comped = ending.booking!.comped === true;
  const place = placeIn(target, ending.booking!.place);
  const item = { work, customer, comped, place, named: null, onAccount: true, from: 'moved' } as const;
  const [made] = await register(work.tx, [item], { event: to, commit: false });
  if (made instanceof Error) throw made;
  if (!made.made) throw alreadyRegistered();
  work.record(eventRegistrationFeed.moved, made.attendance, {
    attendance: made.attendance,
    event: to,
    customer,
    from_attendance: left,
    from_event: from,
  });
  return made.attendance;
}

/** Returns the kind of place to book there: the same, if the event has it. */
const placeIn = (target: EventAround, place: Place): Place => (placeKinds(target).includes(place) ? place : 'venue');

/**
 * Moves a payment that would otherwise be refunded, so that nobody pays twice and nothing is refunded. It needs an
 * attendance to move to: one without a seat, which the booking takes over.
 */
async function carryPayment(work: Work, { booking, around, customer }: Ending, target: EventAround, to: number) {
  if (booking?.status !== 'registered') return;
  const [here, there] = [atPlace(around, booking.place), atPlace(target, placeIn(target, booking.place))];
  if (JSON.stringify(here.price) !== JSON.stringify(there.price)) return;
  const carrying = payers.filled.all.filter((payer) => payer.carries);
  for (const { carries } of carrying) {
    if (!(await carries!.possible(work, booking.id))) continue;
    const known = (await readCustomers(work, to, [customer])).get(customer)?.attendance;
    if (hasSeat(known ?? null)) throw alreadyRegistered();
    const attendance =
      known?.id ??
      (await insertRow(work, 'attendance', newAttendance(work, to, customer, placeIn(target, booking.place))));
    await carries!.carry(work, booking.id, attendance);
    work.effect('payment_moved', 'attendance', attendance, { event: to, customer });
  }
}
