/** Ends an enrollment: cancels its upcoming bookings and gives back what is due for them. */
import { cancelParts, leaveCancelled } from '../../scheduling/schedule/index.ts';
import { COURSE_NOTICES, notifyCustomers } from './notices.ts';
import { courseEnrollmentFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { noteCredits, type GivenBackForSessions } from './credits.ts';
import { offerPlaces } from './waitlist.ts';
import { oneSeries, type EnrollmentRow } from './facts.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { refunded } from './rules/refund.ts';
import { say, textIn, type Text } from '../../../kernel/base/values/words.ts';
import { spokenAmount } from '../../../kernel/base/languages/spoken.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Locks enrollments. The events of their sessions are locked already, because they come first in the lock order. */
export async function lockEnrollments(work: Work, ids: readonly number[]): Promise<EnrollmentRow[]> {
  const rows = await work.tx.rows<EnrollmentRow>(
    sql`SELECT * FROM course_enrollment WHERE provider_id = ${work.providerId} AND id = ANY(${[...ids]}::bigint[])
      ORDER BY id FOR NO KEY UPDATE`,
  );
  for (const row of rows) work.touch('course_enrollment', row.id, row);
  return rows;
}

interface Cancelling {
  /** true if staff refund the sessions that are left, false if not; null: the rule of the series applies */
  readonly refund: boolean | null;
  readonly by: 'customer' | 'staff';
}

/** Returns events of its sessions, and of make-up sessions for them. */
async function eventsOf({ tx, providerId }: Work, id: number): Promise<number[]> {
  const rows = await tx.rows<{ event: number }>(sql`
    SELECT event_id AS event FROM course_enrollment_date
    WHERE provider_id = ${providerId} AND course_enrollment_id = ${id}
    UNION SELECT event_id FROM course_make_up
    WHERE provider_id = ${providerId} AND course_enrollment_id = ${id} AND NOT given_up
    ORDER BY 1`);
  return rows.map(({ event }) => event);
}

export async function cancelEnrollment(
  work: Work,
  { id, customer_id: customer, course_date_series_id: series }: EnrollmentRow,
  { refund, by }: Cancelling,
): Promise<void> {
  const events = await eventsOf(work, id);
  const ended = await cancelParts(work, { events, customer });
  await leaveCancelled(work, events, customer);
  const [row] = await lockEnrollments(work, [id]);
  if (row.status === 'cancelled') throw alreadyCancelled();
  const facts = await oneSeries(work, series);
  const own = await work.tx.rows<{ event: number; open: boolean }>(
    sql`SELECT event_id AS event, credit_reason IS NULL AS open FROM course_enrollment_date
      WHERE provider_id = ${work.providerId} AND course_enrollment_id = ${id}`,
  );
  const begun = facts.sessions.some(
    ({ event, startsAt, status }) => status === 'active' && startsAt <= work.now && own.some((o) => o.event === event),
  );
  const sessions = own.map(({ event, open }) => {
    const mine = ended.find((e) => e.event === event);
    return { event, freed: open && mine !== undefined, late: mine?.late ?? false };
  });
  await updateRow(work, 'course_enrollment', id, { status: 'cancelled', cancelled_at: instant(work.now) });
  const due = refunded(sessions, { rule: facts.refunds, begun, staffSay: refund });
  const back = await noteCredits(work, id, due, 'enrollment_cancelled');
  work.record(courseEnrollmentFeed.cancelled, id, {
    course_enrollment: id,
    course_date_series: series,
    customer,
    reason: by,
  });
  work.effect('enrollment_cancelled', 'course_enrollment', id, { customer, sessions: ended.length });
  offerPlaces(work, series);
  await notifyCustomers(work, {
    type: COURSE_NOTICES.cancelled,
    customers: [customer],
    key: String(id),
    values: (reader, words) => ({ 'course.name': facts.name, gives: textIn(words, givesBack(work, back, reader)) }),
  });
}

/** Returns what the customer gets back; empty if it is nothing. */
function givesBack({ tenant: { currency } }: Work, { credited, waived }: GivenBackForSessions, reader: Reader): Text {
  const amount = (minor: number) => spokenAmount(reader, { minor, currency });
  if (credited > 0 && waived > 0)
    return say`You get a credit of ${amount(credited)}, and no longer owe ${amount(waived)}.`;
  if (credited > 0) return say`You get a credit of ${amount(credited)}.`;
  return waived > 0 ? say`You no longer owe ${amount(waived)}.` : '';
}

export const alreadyCancelled = (): Problem =>
  new Problem('already_cancelled', {
    staff: 'The enrolment is already cancelled.',
    customer: 'This has already been cancelled.',
  });
