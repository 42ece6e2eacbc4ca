/** Moves an appointment or a rental to another time: bookings, their payment and the customers remain unchanged. */
import { action, one } from '../../../kernel/api/endpoint.ts';
import {
  cancelBooking,
  changeEvent,
  event,
  plannedWindow,
  readPlanned,
  register,
  SCHEDULE_PROBLEMS,
} from '../../scheduling/schedule/index.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { holdTime, offeredBy, takeSlot, valuesOf } from './take.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { moment, say } from '../../../kernel/base/values/words.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { readSettings } from './settings.ts';
import { SLOT_PROBLEMS } from './problems.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';
import { VENUE_PROBLEMS } from '../../places/venues/index.ts';
import type { Offered } from './slot-id.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Row = Record<string, any>;

/** Returns everybody who is booked; customers must act for all of them. */
async function bookedOn(work: Work, row: Row): Promise<number[]> {
  const rows = await work.tx.rows<{ customer_id: number }>(
    sql`SELECT customer_id FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${row.id}
      AND status = 'registered' ORDER BY id`,
  );
  const customers = rows.map((r) => r.customer_id);
  if (work.viewer.mode === 'provider') return customers;
  if (customers.length === 0)
    throw new Problem(SCHEDULE_PROBLEMS.not_registered, 'There is no booking on this event to reschedule.');
  for (const customer of customers) await checkActsFor(work, customer);
  return customers;
}

/** Returns the moment until which the customer could cancel in time, in epoch milliseconds. */
async function lateAfter(work: Work, row: Row, customer: number): Promise<number> {
  const [facts] = await readPlanned(
    work,
    [
      {
        offeringType: row.offering_type_id,
        venue: row.venue_id,
        zone: row.timezone,
        startsAt: row.starts_at,
        endsAt: row.ends_at,
      },
    ],
    customer,
  );
  const window =
    plannedWindow(facts.around, facts.who, row.starts_at) ??
    plannedWindow({ windowFacts: { ...facts.around.windowFacts, timelines: [] } }, null, row.starts_at)!;
  return window.lateCancelsAfter;
}

/**
 * Returns true if giving up the old time counts as a late cancellation for any of these customers: their windows can
 * differ. @throws Problem if it is too late altogether
 */
async function isLate(work: Work, row: Row, customers: readonly number[]): Promise<boolean> {
  if (work.viewer.mode === 'provider') return false;
  if (work.now >= row.starts_at)
    throw new Problem(SCHEDULE_PROBLEMS.event_started, 'This event has started, so it can no longer be rescheduled.');
  const until = Math.min(...(await Promise.all(customers.map((customer) => lateAfter(work, row, customer)))));
  if (work.now < until) return false;
  const { late_reschedule: late } = await readSettings(work);
  if (late === 'allow') return false;
  if (late === 'late_cancel') return true;
  throw new Problem(SLOT_PROBLEMS.reschedule_too_late, {
    staff: `Customers could reschedule until ${formatInstant(until, row.timezone)}.`,
    customer: say`This could be rescheduled until ${moment(until, row.timezone)}. Ask the business.`,
  });
}

/** Reads the slot that the body names. If it does not exist, the mistake is reported for the body, not for the path. */
function slotIn(work: Work, slot: string): Offered {
  try {
    return offeredBy(work, slot);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') throw invalid('slot', 'There is no slot with this id.');
    throw error;
  }
}

/**
 * Gives up the old time as a late cancellation, and books and charges the new one separately. Returns the new event.
 */
async function bookAnew(work: Work, row: Row, customers: readonly number[], slot: string): Promise<number> {
  const { event: made } = await takeSlot(work, { slot, people: customers.length });
  for (const customer of customers) await cancelBooking(work, row.id, customer);
  const items = customers.map((customer) => ({ work, customer, comped: false, named: null, made: true }));
  for (const result of await register(work.tx, items, { event: made, commit: false }))
    if (result instanceof Error) throw result;
  return made;
}

export const reschedule = action({
  path: '/events/{id}/reschedule',
  summary: 'Move an appointment or a room rental to another time',
  description:
    'Bookings stay, with what pays for them, and the people who booked are notified. Customers can do it for as long as they could cancel in time; ' +
    'what happens later, the business decides (`late_reschedule` of the settings of slots). If that makes it a late cancellation, the new time is booked and paid for anew, and the new event is returned.',
  who: { provider: ['super_admin', 'manage_events', 'attendances', 'pos'], customer: true, unregistered: false },
  target: event,
  body: { slot: text({ max: 200 }).describe('Id of a slot of the same offering type.') },
  returns: one(event),
  problems: [
    SLOT_PROBLEMS.slot_taken,
    SLOT_PROBLEMS.slot_expired,
    SLOT_PROBLEMS.reschedule_too_late,
    SCHEDULE_PROBLEMS.instructor_taken,
    VENUE_PROBLEMS.room_taken,
    SCHEDULE_PROBLEMS.event_started,
    SCHEDULE_PROBLEMS.not_registered,
    'already_cancelled',
  ],
  run: async ({ work, body, target }) => {
    if (target.status === 'cancelled')
      throw new Problem('already_cancelled', "The event is cancelled. Cancelled events can't be rescheduled.");
    const customers = await bookedOn(work, target);
    const offered = slotIn(work, body.slot);
    if (offered.offeringType !== target.offering_type_id)
      throw invalid('slot', 'Must be a time of the same offering type. Cancel the event and book another one instead.');
    if (await isLate(work, target, customers)) return bookAnew(work, target, customers, body.slot);
    const held = await holdTime(work, offered, target.id);
    await changeEvent(work, target, valuesOf(held, offered), '');
    return target.id;
  },
});
