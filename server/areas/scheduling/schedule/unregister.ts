import { instant, sql } from '../../../kernel/db/sql.ts';
import { askerOf } from './facts.ts';
import { isLate } from './rules/cancelling.ts';
import { passOnOrEnd } from './empty-appointments.ts';
import { payers } from './payer.ts';
import { readCustomers, readEvent } from './read-facts.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { registrationCancelled, registrationLateCancelled } from './feed.ts';
import { ANYBODY, resolveWindow } from './rules/window.ts';
import { SCHEDULE_PROBLEMS } from './problems.ts';
import type { Work } from '../../../kernel/work.ts';
import { one, say } from '../../../kernel/values/words.ts';

/** Ends a booking, late or in time, and gives its place on. The event's row is locked by the caller. */
export async function cancelBooking(
  work: Work,
  eventId: number,
  customerId: number,
  staffSays?: boolean,
  { part = false }: { readonly part?: boolean } = {},
): Promise<{ late: boolean; attendance: number }> {
  const byStaff = work.viewer.mode === 'provider';
  if (staffSays !== undefined && !byStaff)
    throw invalid('is_late_cancel', 'Only staff can say whether a cancellation counts as late.');
  const around = (await readEvent(work, eventId))!;
  const who = (await readCustomers(work, eventId, [customerId])).get(customerId);
  const booking = who?.attendance ?? null;
  if (booking?.status === 'attended' || booking?.status === 'no_show') {
    throw new Problem(SCHEDULE_PROBLEMS.attendance_already_marked, {
      staff: "The customer's attendance has already been recorded. Correct the attendance instead.",
      customer: 'Your attendance has already been recorded. If it is wrong, ask the business to correct it.',
    });
  }
  if (booking?.status !== 'registered')
    throw new Problem(SCHEDULE_PROBLEMS.not_registered, {
      staff: 'The customer is not booked on this event.',
      customer: say`There is no ${one.booking} of this ${one.event} to cancel.`,
    }).about(around.event.kind);
  if (!byStaff && work.now >= around.event.startsAt)
    throw new Problem(
      SCHEDULE_PROBLEMS.event_started,
      say`This ${one.event} has started, so it can no longer be cancelled.`,
    ).about(around.event.kind);

  // Whoever cancels, the cut-off is the customer's.
  const window =
    resolveWindow(around.windowFacts, askerOf(who!)) ??
    resolveWindow({ ...around.windowFacts, timelines: [] }, ANYBODY)!;
  const late = isLate({ now: work.now, lateCancelsAfter: window.lateCancelsAfter, staffSays });
  const status = late ? 'late_cancelled' : 'not_registered';
  const now = instant(work.now);
  const theBooking = sql`provider_id = ${work.providerId} AND id = ${booking.id}`;
  const [[row]] = await work.tx.all([
    sql`SELECT * FROM attendance WHERE ${theBooking} FOR UPDATE`,
    sql`UPDATE attendance SET status = ${status}, cancelled_at = ${now}, updated_at = ${now} WHERE ${theBooking}`,
  ]);
  work.touch('attendance', booking.id, row);
  const of = { attendance: booking.id, event: eventId, customer: customerId };
  if (late) work.record(registrationLateCancelled, booking.id, of);
  else
    work.record(registrationCancelled, booking.id, { ...of, reason: part ? 'course' : byStaff ? 'staff' : 'customer' });
  work.effect(late ? 'booking_cancelled_late' : 'booking_cancelled', 'attendance', booking.id, of);
  // Late, it has been used.
  if (!late) await payers.filled.credit(work, sql`a.id = ${booking.id}`, 'cancelled_in_time');
  await passOnOrEnd(work, eventId);
  return { late, attendance: booking.id };
}
