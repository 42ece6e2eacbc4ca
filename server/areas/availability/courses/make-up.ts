/** Books a session of another series in place of one that a customer missed. */
import { a, one as word, say, day } from '../../../kernel/base/values/words.ts';
import { action, one, type Who } from '../../../kernel/api/endpoint.ts';
import {
  bookParts,
  BOOKING_PROBLEMS,
  BOOKS_EVERYWHERE,
  customerOf,
  lockToBook,
} from '../../scheduling/schedule/index.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { COURSE_PROBLEMS } from './problems.ts';
import { courseMakeUp } from './course-enrollment.ts';
import { courseSession } from './course-session.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockEnrollments } from './cancel-enrollment.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { ref } from '../../../kernel/base/fields/kinds.ts';
import { rightToMakeUp, type Missed } from './rules/make-up.ts';
import { courseMakeUpFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import type { Wordings } from '../../../kernel/base/values/wording.ts';

export const whoBooksCourses: Who = { provider: [...BOOKS_EVERYWHERE], customer: true, unregistered: false };

const refuse = (message: Wordings): Problem => new Problem(COURSE_PROBLEMS.make_up_not_available, message);

interface Right extends Missed {
  readonly enrollment: number;
  readonly membership: number | null;
  /** the missed session still uses up a use of the membership */
  readonly useTaken: boolean;
  readonly series: number;
  readonly course: number;
  readonly offeringType: number;
}

async function readMissed(
  { tx, providerId }: Work,
  { event, customer }: { readonly event: number; readonly customer: number },
): Promise<Right | null> {
  const row = await tx.one<Right>(sql`
    SELECT n.id AS enrollment, n.customer_membership_id AS membership, n.status = 'active' AS enrolled,
      x.credit_reason IS NOT NULL AS credited,
      s.make_up_days AS "makeUpDays", coalesce(d.cancelled_gives, s.cancelled_session_gives) AS "cancelledGives",
      e.status = 'cancelled' AS "sessionCancelled",
      e.local_starts_at::date AS on, a.status AS attendance, s.id AS series, s.course_id AS course,
      e.offering_type_id AS "offeringType",
      EXISTS (SELECT FROM entitlement_entry u WHERE u.provider_id = a.provider_id AND u.attendance_id = a.id
        AND u.open) AS "useTaken",
      EXISTS (SELECT FROM course_make_up m LEFT JOIN attendance b ON b.provider_id = m.provider_id
        AND b.event_id = m.event_id AND b.customer_id = m.customer_id
        WHERE m.provider_id = x.provider_id AND m.course_enrollment_id = x.course_enrollment_id
          AND m.missed_event_id = x.event_id
          AND NOT m.given_up AND b.status IS DISTINCT FROM 'not_registered') AS "madeUp"
    FROM course_enrollment_date x JOIN course_enrollment n ON n.provider_id = x.provider_id
      AND n.id = x.course_enrollment_id
      JOIN course_date_series s ON s.provider_id = n.provider_id AND s.id = n.course_date_series_id
      JOIN course_date d ON d.provider_id = x.provider_id AND d.event_id = x.event_id
      JOIN event e ON e.provider_id = x.provider_id AND e.id = x.event_id
      LEFT JOIN attendance a ON a.provider_id = x.provider_id AND a.event_id = x.event_id
        AND a.customer_id = n.customer_id
    WHERE x.provider_id = ${providerId} AND x.event_id = ${event} AND n.customer_id = ${customer}
    ORDER BY n.status, n.id DESC LIMIT 1`);
  return row ?? null;
}

interface Other {
  readonly series: number;
  readonly course: number;
  readonly offeringType: number;
  readonly on: string;
}

/** Refuses a session that can't replace the missed one. Free places are counted by the schedule. */
function checkOther(missed: Right, other: Other, until: string): void {
  if (other.series === missed.series)
    throw refuse({
      staff: 'The session is of the same series. Choose one of another series.',
      customer: say`Choose ${a.session} of other ${word.course} dates.`,
    });
  if (other.course !== missed.course && other.offeringType !== missed.offeringType)
    throw refuse({
      staff: 'The session is of another course and another offering type. Choose one of the same.',
      customer: say`Choose ${a.session} of the same ${word.course}.`,
    });
  if (other.on > until)
    throw refuse({
      staff: `The session can be made up for until ${until}. Raise make_up_days, or choose an earlier one.`,
      customer: say`Choose ${a.session} on or before ${day(until)}.`,
    });
}

async function makeUp(work: Work, event: number, instead: number, customer: number): Promise<number> {
  await lockToBook(
    work,
    [event, instead].map((one) => ({ event: one, customer })),
  );
  const found = await readMissed(work, { event, customer });
  if (!found)
    throw refuse({
      staff: 'The customer is not enrolled in the series of this session.',
      customer: say`You are not enrolled in this ${word.course}.`,
    });
  await lockEnrollments(work, [found.enrollment]);
  const missed = (await readMissed(work, { event, customer }))!;
  const right = rightToMakeUp(missed);
  if ('refused' in right) throw refuse(right.refused);
  const other = await work.tx.one<Other & { startsAt: number }>(sql`
    SELECT d.course_date_series_id AS series, d.course_id AS course, e.offering_type_id AS "offeringType",
      e.local_starts_at::date AS on,
      e.starts_at AS "startsAt" FROM course_date d JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
    WHERE d.provider_id = ${work.providerId} AND d.event_id = ${instead}`);
  checkOther(missed, other!, right.until);
  if (other!.startsAt <= work.now)
    throw refuse({
      staff: 'The session has begun. Choose a later one.',
      customer: say`This ${word.session} has begun.`,
    });
  await work.tx.run(sql`
    UPDATE course_make_up SET given_up = true, updated_at = ${instant(work.now)} WHERE provider_id = ${work.providerId}
      AND course_enrollment_id = ${missed.enrollment} AND missed_event_id = ${event} AND NOT given_up`);
  const pays = missed.membership === null || missed.useTaken;
  const id = await insertRow(work, 'course_make_up', {
    course_enrollment_id: missed.enrollment,
    missed_event_id: event,
    event_id: instead,
    customer_id: customer,
    pays,
  });
  await bookParts(work, {
    events: [instead],
    customer,
    payer: pays ? null : { subject: 'customer_membership', id: missed.membership! },
  });
  const of = { course_make_up: id, course_enrollment: missed.enrollment, customer, event: instead };
  work.record(courseMakeUpFeed.created, id, { ...of, missed_event: event });
  work.effect('session_made_up', 'course_make_up', id, { customer, course_session: instead, missed: event });
  return id;
}

export const makeUpEndpoint = action({
  path: '/course_sessions/{id}/make_up',
  summary: 'Make up for a missed session of a course',
  description:
    'Books a session of another series of the same course, or of the same offering type, in place of this one. The customer was absent, cancelled in time, or the session was cancelled.',
  who: whoBooksCourses,
  target: courseSession,
  // Both events are locked in order of their ids.
  unlocked: true,
  body: {
    customer: ref('customer').optional().describe('Customers who act for themselves can leave it out.'),
    course_session: ref('course_session').describe('The session to attend instead.'),
  },
  returns: one(courseMakeUp),
  problems: [COURSE_PROBLEMS.make_up_not_available, ...BOOKING_PROBLEMS],
  run: async ({ work, target, body }) => {
    const customer = customerOf(work, body.customer);
    await checkActsFor(work, customer);
    return makeUp(work, target.id, body.course_session, customer);
  },
});
