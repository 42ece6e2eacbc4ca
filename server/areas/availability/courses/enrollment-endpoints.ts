/** Enrolling without a checkout, cancelling, and joining the waitlist. */
import { a, one as word, say } from '../../../kernel/base/values/words.ts';
import { action, answer, one, read } from '../../../kernel/api/endpoint.ts';
import { alreadyCancelled, cancelEnrollment } from './cancel-enrollment.ts';
import { amountText, wireMoney } from '../../../kernel/base/values/money.ts';
import {
  boolean,
  id,
  instant,
  integer,
  listOf,
  money,
  object,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { BOOKING_PROBLEMS, customerOf, SCHEDULE_PROBLEMS } from '../../scheduling/schedule/index.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkJoins, enroll, JOINS, quoteSeries, type Enrolling } from './enroll.ts';
import { countText, type EnrollmentRow } from './facts.ts';
import { COURSE_PROBLEMS } from './problems.ts';
import { courseDateSeries } from './course-date-series.ts';
import { courseEnrollment, courseWaitlistSpot } from './course-enrollment.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { joinSeries, leaveSeries } from './waitlist.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { partsOf } from './rules/price.ts';
import { sideFor, wordingFor } from '../../../kernel/base/values/wording.ts';
import { whoBooksCourses } from './make-up.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const customerField = ref('customer').optional().describe('Customers who act for themselves can leave it out.');

interface Sent {
  readonly customer?: number;
  readonly customer_membership?: number | null;
  readonly comped: boolean;
  readonly from_session?: number;
}

/**
 * Returns how an enrollment is paid for: by a membership, by nobody because staff give it away or because it is free,
 * or later, by what staff charge to the account.
 */
async function enrolling(work: Work, series: number, sent: Sent): Promise<Enrolling> {
  const customer = customerOf(work, sent.customer);
  await checkActsFor(work, customer);
  const byStaff = work.viewer.mode === 'provider';
  if (!byStaff && sent.comped) throw invalid('comped', 'Only staff and machine tokens can enrol without charge.');
  if (!byStaff && sent.from_session !== undefined)
    throw invalid('from_session', 'Only staff can leave out sessions that are still to come.');
  const wanting = { series, customer, from: sent.from_session };
  if (sent.customer_membership) {
    if (sent.comped) throw invalid('customer_membership', 'A comped enrolment uses no membership. Leave out one.');
    return { ...wanting, paidBy: 'membership', membership: sent.customer_membership };
  }
  if (sent.comped) return { ...wanting, paidBy: 'comped' };
  const { offer, series: facts } = await quoteSeries(work, wanting);
  if (sent.from_session !== undefined && !facts.sessions.some(({ event }) => event === sent.from_session))
    throw invalid('from_session', 'The session is not of this series.');
  // Nobody is asked to pay for a series that they can't join.
  if (offer.price === 0) return { ...wanting, paidBy: 'nothing' };
  if (byStaff) return { ...wanting, paidBy: 'account' };
  await checkJoins(work, wanting);
  throw toBePaid(work, offer.price);
}

function toBePaid(work: Work, minor: number): Problem {
  const price = amountText({ minor, currency: work.tenant.currency });
  return new Problem(COURSE_PROBLEMS.course_payment_required, {
    staff: `The course costs ${price}, before fees and taxes. Sell it with a checkout, or name a membership that covers it.`,
    customer: say`This ${word.course} costs ${price}, before fees and taxes. Buy it with a checkout, or name ${a.membership} that includes it.`,
  });
}

const enrollEndpoint = action({
  path: '/course_date_series/{id}/enroll',
  summary: 'Enrol a customer in a course',
  description:
    'Books every session that is left, or none. A membership is used once for each session. What costs something is sold with a checkout, unless staff or a machine token enrol: then the price, with fees and taxes, is charged to the account as one open charge.',
  tells: true,
  who: whoBooksCourses,
  target: courseDateSeries,
  // The events of its sessions are locked before it.
  unlocked: true,
  body: {
    customer: customerField,
    customer_membership: id().nullable().optional().describe('The membership of which each session takes a use.'),
    comped: boolean()
      .default(false)
      .describe('Only for staff and machine tokens: enrols without charge or entitlement.'),
    from_session: ref('course_session')
      .optional()
      .describe('Only for staff: the first session that the customer gets.'),
  },
  returns: one(courseEnrollment),
  status: 201,
  problems: [
    ...JOINS,
    COURSE_PROBLEMS.course_payment_required,
    ...BOOKING_PROBLEMS,
    ...Object.values(MEMBERSHIP_PROBLEMS),
  ],
  run: async ({ work, target, body }) => enroll(work, await enrolling(work, target.id, body as Sent)),
});

const cancelEndpoint = action({
  path: '/course_enrollments/{id}/cancel',
  summary: 'Cancel an enrolment in a course',
  description:
    'Cancels the bookings of all sessions that have not begun. What is given back follows `cancellation_refunds` of the series, unless staff say otherwise. A dry run shows it.',
  tells: true,
  who: whoBooksCourses,
  target: courseEnrollment,
  // The events of its sessions are locked before it.
  unlocked: true,
  body: {
    refund: boolean()
      .nullable()
      .optional()
      .describe('Only for staff: whether the price of the sessions left is given back, whatever the rule says.'),
  },
  returns: one(courseEnrollment),
  problems: ['already_cancelled'],
  run: async ({ work, target, body }) => {
    const byStaff = work.viewer.mode === 'provider';
    await checkActsFor(work, target.customer_id);
    const refund = body.refund ?? null;
    if (refund !== null && !byStaff) throw invalid('refund', 'Only staff can decide what is given back.');
    if (target.status === 'cancelled') throw alreadyCancelled();
    await cancelEnrollment(work, target as EnrollmentRow, { refund, by: byStaff ? 'staff' : 'customer' });
    return target.id;
  },
});

const joinEndpoint = action({
  path: '/course_date_series/{id}/join_waitlist',
  summary: 'Join the waitlist of a course',
  description:
    'Possible while a session that is left is full. When a place is free at all of them, it is kept for the first in line for a day. A customer who is already on the waitlist gets the same spot.',
  who: whoBooksCourses,
  target: courseDateSeries,
  body: { customer: customerField },
  returns: one(courseWaitlistSpot),
  problems: [
    COURSE_PROBLEMS.course_not_open,
    COURSE_PROBLEMS.already_enrolled,
    COURSE_PROBLEMS.course_waitlist_not_needed,
  ],
  run: async ({ work, target, body }) => {
    const customer = customerOf(work, body.customer);
    await checkActsFor(work, customer);
    return joinSeries(work, target.id, customer);
  },
});

const leaveEndpoint = action({
  path: '/course_date_series/{id}/leave_waitlist',
  summary: 'Leave the waitlist of a course',
  description: 'A place that was kept for the customer becomes free.',
  who: whoBooksCourses,
  target: courseDateSeries,
  // The events of its sessions are locked before it.
  unlocked: true,
  body: { customer: customerField },
  returns: one(courseWaitlistSpot),
  problems: [SCHEDULE_PROBLEMS.not_on_waitlist],
  run: async ({ work, target, body }) => {
    const customer = customerOf(work, body.customer);
    await checkActsFor(work, customer);
    const spot = await leaveSeries(work, target.id, customer);
    if (spot !== null) return spot;
    throw new Problem(SCHEDULE_PROBLEMS.not_on_waitlist, {
      staff: 'The customer is not on the waitlist of this series.',
      customer: say`There is no ${word.spot} on the ${word.waitlist} of this ${word.course} to give up.`,
    });
  },
});

const explain = read({
  path: '/course_date_series/{id}/explain',
  summary: 'Explain what joining a course costs now',
  description: 'Lists every session with its part of the price, and says which of them somebody gets who joins now.',
  who: { provider: whoBooksCourses.provider, customer: true, unregistered: true },
  target: courseDateSeries,
  returns: answer({
    price: money().describe('Price of the sessions that are left, before fees and taxes.'),
    full_price: money(),
    late_price: oneOf(['prorated', 'full_price']),
    explanation: text(),
    can_join: boolean(),
    reason: text().nullable().describe('Why nobody can join. Null if they can.'),
    sessions: listOf(
      object({
        course_session: id(),
        position: integer({ min: 1 }),
        starts_at: instant(),
        state: oneOf(['left', 'begun', 'cancelled']),
        price: money(),
      }),
    ),
  }),
  run: async ({ work, target }) => {
    const { series, offer } = await quoteSeries(work, { series: target.id, customer: 0 });
    const parts = partsOf(series.price, series.sessions.length);
    const say = (minor: number) => amountText({ minor, currency: work.tenant.currency });
    const amount = (minor: number) => wireMoney({ minor, currency: work.tenant.currency });
    const got = countText(offer.left.length, series.sessions.length);
    return {
      price: amount(offer.price),
      full_price: amount(series.price),
      late_price: series.latePrice,
      explanation:
        series.latePrice === 'full_price' || offer.price === series.price
          ? `${got} for ${say(offer.price)}`
          : `${got}: ${say(offer.price)} of ${say(series.price)}`,
      can_join: offer.refusal === null,
      reason: offer.refusal && wordingFor(sideFor(work.viewer.mode), offer.refusal, work.tenant.words),
      sessions: series.sessions.map(({ event, position, startsAt, status, zone }, n) => ({
        course_session: event,
        position,
        starts_at: formatInstant(startsAt, zone),
        state: status === 'cancelled' ? 'cancelled' : offer.left.some((s) => s.event === event) ? 'left' : 'begun',
        price: amount(parts[n]),
      })),
    };
  },
});

export const enrollmentEndpoints = [explain, enrollEndpoint, cancelEndpoint, joinEndpoint, leaveEndpoint];
