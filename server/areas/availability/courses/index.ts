import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { one, say } from '../../../kernel/base/values/words.ts';
import { accountReasons } from '../../money/account-entries/index.ts';
import { ADDED_SESSION, ENROLLMENT } from './account-reasons.ts';
import { changeCourses } from './change-courses.ts';
import { changeSeries } from './change-series.ts';
import { changeSessions } from './sessions.ts';
import { course } from './course.ts';
import { COURSE_NOTICES } from './notices.ts';
import { COURSE_PROBLEMS } from './problems.ts';
import { courseDateSeries } from './course-date-series.ts';
import { courseEnrollment, courseMakeUp, courseWaitlistSpot } from './course-enrollment.ts';
import { coursePayer } from './payer.ts';
import { courseSession, courseSessionAttendance } from './course-session.ts';
import { alreadyEnrolled, JOINS } from './enroll.ts';
import { COURSE_CHECKS } from './ledger-checks.ts';
import { ledgerChecks } from '../../money/ledger/index.ts';
import { creditJob, sweepCredits } from './credits.ts';
import { enrollmentEndpoints } from './enrollment-endpoints.ts';
import { FEED } from './feed.ts';
import { findAttendances, findCourses, findEnrollments } from './find-courses.ts';
import { makeUpEndpoint } from './make-up.ts';
import { offerJob, placesReader, sweepWaitlists } from './waitlist.ts';
import { courseSessions } from './returning.ts';
import { payers, returning } from '../../scheduling/schedule/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { createCourse } from './change-courses.ts';
export { createDates } from './change-series.ts';
export { checkJoins, enroll, noteInvoice, quoteSeries } from './enroll.ts';
export { COURSE_PROBLEMS } from './problems.ts';
export {
  sessionsText,
  isCourseSession,
  readSeats,
  readSeries,
  singleDates,
  type Offer,
  type Series,
  type SingleDate,
} from './facts.ts';

const refused = [COURSE_PROBLEMS.course_enrollment_required, COURSE_PROBLEMS.course_session_payment_required];

/** Problems with which selling courses and their sessions is refused. */
export const SOLD_REFUSES = [...JOINS, ...refused];

export const courses: Area = {
  name: 'courses',
  description: 'Courses: their dates and sessions, and who takes part.',
  tables: TABLES,
  translations: readTranslations('courses/refusals'),
  resources: [course, courseDateSeries, courseSession, courseSessionAttendance],
  endpoints: [...findCourses, ...changeCourses, ...changeSeries, ...changeSessions, ...findAttendances],
  topics: [
    {
      name: 'course_enrollments',
      description: 'Enrolments in courses: enrolling, waiting for a place, and making up for missed sessions.',
      resources: [courseEnrollment, courseMakeUp, courseWaitlistSpot],
      endpoints: [...findEnrollments, ...enrollmentEndpoints, makeUpEndpoint],
    },
  ],
  problems: COURSE_PROBLEMS,
  refuses: { 'POST /events/{id}/register': refused, 'POST /attendances/{id}/move': refused },
  feed: FEED,
  notices: Object.values(COURSE_NOTICES),
  fills: [
    payers.with(coursePayer),
    returning.with(courseSessions),
    accountReasons.with(ENROLLMENT, ADDED_SESSION),
    ledgerChecks.with(...COURSE_CHECKS),
  ],
  readers: [placesReader],
  jobs: [creditJob, offerJob],
  sweep: async (tx, now) => {
    await sweepCredits(tx, now);
    await sweepWaitlists(tx, now);
  },
  constraints: {
    course_enrollment_one: alreadyEnrolled,
    course_make_up_one: () =>
      new Problem(COURSE_PROBLEMS.make_up_not_available, {
        staff: 'The session was made up for in the meantime.',
        customer: say`You have already chosen another ${one.session} instead.`,
      }),
  },
};
