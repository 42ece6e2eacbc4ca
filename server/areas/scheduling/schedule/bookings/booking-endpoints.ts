import { action, answer, one, type TogetherCall, type Who } from '../../../../kernel/api/endpoint.ts';
import { boolean, id, oneOf, ref } from '../../../../kernel/base/fields/kinds.ts';
import { BatchByKey } from '../../../../kernel/base/batch-by-key.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { endBooking, readBooking } from './unregister.ts';
import { eventRegistrationFeed } from '../feed.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { event } from '../events/event.ts';
import { joinWaitlist, leaveWaitlist } from '../waitlist/waiting.ts';
import { checkTeaches, markAttendance } from '../attendance/marking.ts';
import { BOOKS_EVERYWHERE } from '../sight.ts';
import { moveBooking } from './move.ts';
import { payers } from './payer-port.ts';
import { PLACES } from '../rules/booking.ts';
import { register, type Registered } from './register.ts';
import type { Registration } from './write-bookings.ts';
import { attendance, waitlistSpot } from '../attendance/attendance.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import { sharedStanding } from '../../../../kernel/base/db/standing.ts';
import { BOOKING_PROBLEMS, SCHEDULE_PROBLEMS } from '../problems.ts';
import { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Staff who take bookings, instructors for the events that they teach, and customers for themselves and their children.
 */
export const whoBooks: Who = {
  provider: [...BOOKS_EVERYWHERE, 'instructor_attendances', 'instructor_manage_events'],
  customer: true,
  unregistered: false,
};

/** Returns the customer to book. Customers may leave themselves out; staff must name one. */
export function customerOf(work: Pick<Work, 'viewer'>, given: number | undefined): number {
  const customer = given ?? work.viewer.customerId;
  if (customer === null) throw invalid('customer', 'This field is required.');
  return customer;
}

export const customerField = ref('customer').optional().describe('Customers who book for themselves can leave it out.');

interface Waiting {
  readonly call: TogetherCall;
  readonly asked: Omit<Registration, 'work'>;
}

/** Concurrent calls for one event are booked in one transaction. */
const together = new WeakMap<Database, BatchByKey<Waiting, Registered>>();

function booker(db: Database): BatchByKey<Waiting, Registered> {
  let t = together.get(db);
  if (!t) {
    t = new BatchByKey((key, waiting) => {
      const [providerId, event] = key.split(':').map(Number);
      const [{ call: first }] = waiting;
      const book = () =>
        db.transaction(
          providerId,
          (tx) => {
            const items = waiting.map(({ call, asked }) => ({
              ...asked,
              work: new Work({ ...call, tx, now: first.now }),
            }));
            return register(tx, items, { event, commit: true });
          },
          sharedStanding(waiting.map(({ call }) => call.standing)),
        );
      // A customer has been merged into another in the meantime. The second attempt refuses that one by name, and books
      // the others.
      return book().catch((error) => ((error as { code?: string }).code === '23503' ? book() : Promise.reject(error)));
    });
    together.set(db, t);
  }
  return t;
}

function comped(viewer: Work['viewer'], asked: boolean): boolean {
  if (asked && viewer.mode !== 'provider')
    throw invalid('comped', 'Only staff and machine tokens can book without charge.');
  return asked;
}

const placeField = oneOf(PLACES)
  .optional()
  .describe(
    'For an event that has places online too: `venue` or `online`. By default that of the spot that the customer ' +
      'waits in or was offered, or else `venue`.',
  );

const registerBody = {
  customer: customerField,
  comped: boolean().default(false).describe('Only for staff: books without a charge or membership.'),
  place: placeField,
  event: id().optional().describe('Not needed: the path names the event.'),
};

function asked(c: { viewer: Work['viewer']; body: any }): Omit<Registration, 'work'> {
  const named = payers.filled.named(c.body, c.body.comped);
  return {
    customer: customerOf(c, c.body.customer),
    comped: comped(c.viewer, c.body.comped),
    place: c.body.place,
    named,
    onAccount: c.viewer.mode === 'provider',
  };
}

const registerEndpoint = action({
  path: '/events/{id}/register',
  summary: 'Book an event',
  description:
    'Booking again returns the same attendance. The error `event_full` includes the next position on the waitlist. ' +
    'If staff book what nothing pays for, the customer’s account is charged: see `charge` of the attendance.',
  who: whoBooks,
  target: event,
  body: registerBody,
  returns: answer({ attendance: id() }),
  tells: true,
  problems: [...BOOKING_PROBLEMS, SCHEDULE_PROBLEMS.already_registered],
  run: async ({ work, body, target }) => {
    const item = { ...asked({ viewer: work.viewer, body }), work };
    const [result] = await register(work.tx, [item], { event: target.id, commit: false });
    if (result instanceof Error) throw result;
    return { attendance: result.attendance };
  },
  together: async (call: TogetherCall) => {
    const waiting = { call, asked: asked(call) };
    const { attendance } = await booker(call.db).call(`${call.tenant.providerId}:${call.id}`, waiting);
    return { attendance };
  },
});

const unregister = action({
  path: '/events/{id}/unregister',
  summary: 'Cancel a booking',
  description:
    'After the cut-off, this is a late cancellation; staff can override that with `is_late_cancel`. The freed place goes to the waitlist immediately. A dry run shows the penalty.',
  who: whoBooks,
  target: event,
  body: { customer: customerField, is_late_cancel: boolean().optional() },
  returns: answer({ late: boolean(), attendance: id() }),
  tells: true,
  problems: [
    SCHEDULE_PROBLEMS.not_registered,
    SCHEDULE_PROBLEMS.event_started,
    SCHEDULE_PROBLEMS.attendance_already_marked,
  ],
  run: async ({ work, body, target, dryRun }) => {
    const customer = customerOf(work, body.customer);
    const [booking] = await Promise.all([
      readBooking(work, target.id, customer),
      checkActsFor(work, customer),
      checkTeaches(work, target.id, ...BOOKS_EVERYWHERE),
    ]);
    const { late, attendance } = await endBooking(work, booking, { staffSays: body.is_late_cancel, alone: true });
    if (late && dryRun) await work.registry.previewEffects(work, eventRegistrationFeed.late_cancelled, attendance);
    return { late, attendance };
  },
});

const join_waitlist = action({
  path: '/events/{id}/join_waitlist',
  summary: 'Join the waitlist',
  description: 'Possible while the event is full. Customers already waiting keep their spot.',
  who: whoBooks,
  target: event,
  body: {
    customer: customerField,
    promote_after_cutoff: boolean()
      .default(false)
      .describe('Take a place even if it can no longer be cancelled in time.'),
    place: oneOf(PLACES)
      .optional()
      .describe('For an event that has places online too: each kind has a waitlist of its own. By default `venue`.'),
  },
  returns: one(waitlistSpot),
  tells: true,
  problems: [
    SCHEDULE_PROBLEMS.waitlist_full,
    SCHEDULE_PROBLEMS.waitlist_not_needed,
    SCHEDULE_PROBLEMS.already_registered,
    'conflict',
    ...BOOKING_PROBLEMS.filter((code) => code !== SCHEDULE_PROBLEMS.event_full),
  ],
  run: async ({ work, body, target }) => {
    const customer = customerOf(work, body.customer);
    await checkActsFor(work, customer);
    await checkTeaches(work, target.id, ...BOOKS_EVERYWHERE);
    return joinWaitlist(work, target.id, customer, body.promote_after_cutoff, body.place);
  },
});

const leave_waitlist = action({
  path: '/events/{id}/leave_waitlist',
  summary: 'Leave the waitlist',
  who: whoBooks,
  target: event,
  body: { customer: customerField },
  returns: answer({ customer: id() }),
  tells: true,
  problems: [SCHEDULE_PROBLEMS.not_on_waitlist],
  run: async ({ work, body, target }) => {
    const customer = customerOf(work, body.customer);
    await checkActsFor(work, customer);
    await checkTeaches(work, target.id, ...BOOKS_EVERYWHERE);
    await leaveWaitlist(work, target.id, customer);
    return { customer };
  },
});

const confirm_attendance = action({
  path: '/events/{id}/confirm_attendance',
  summary: 'Check in a booked customer',
  description: 'Returns the attendance.',
  who: { provider: ['attendances', 'instructor_attendances'], customer: false, unregistered: false },
  target: event,
  body: { customer: ref('customer') },
  returns: one(attendance),
  problems: [
    SCHEDULE_PROBLEMS.not_registered,
    SCHEDULE_PROBLEMS.event_cancelled,
    SCHEDULE_PROBLEMS.attendance_already_marked,
  ],
  run: ({ work, body, target }) => markAttendance(work, { event: target.id, customer: body.customer }, 'attended'),
});

const move = action({
  path: '/attendances/{id}/move',
  summary: 'Move a booking to another event',
  description:
    'Cancels the booking and books the other event in one transaction, or does neither. This is never a late cancellation. ' +
    'What paid is returned and pays again; a price that was paid moves along if the other event costs the same. ' +
    'The customer gets one message. Returns the new attendance.',
  who: { ...whoBooks, customer: false },
  target: attendance,
  unlocked: true,
  body: { event: ref('event').describe('The event to book instead.') },
  returns: one(attendance),
  tells: true,
  problems: [
    ...BOOKING_PROBLEMS,
    SCHEDULE_PROBLEMS.already_registered,
    SCHEDULE_PROBLEMS.not_registered,
    SCHEDULE_PROBLEMS.attendance_already_marked,
  ],
  run: ({ work, body, target }) =>
    moveBooking(work, { from: target.event_id, to: body.event, customer: target.customer_id }),
});

export const bookingEndpoints = [registerEndpoint, unregister, move, join_waitlist, leave_waitlist, confirm_attendance];
