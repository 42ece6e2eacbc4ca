/** Enrollments as a payer of bookings: fills the schedule's port `payers`. */
import { a, one, say } from '../../../kernel/base/values/words.ts';
import { amountText } from '../../../kernel/base/values/money.ts';
import { COURSE_PROBLEMS } from './problems.ts';
import { creditSessions } from './credits.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Objection, Payer } from '../../scheduling/schedule/index.ts';

/** Facts about one customer at one event that is a session; null if it is none. */
type SessionFacts = {
  /** minor units; null: single sessions are not sold */
  readonly single: number | null;
  readonly currency: string;
  /** an enrollment, or a make-up session, covers it and has paid */
  readonly paid: boolean;
  /** an enrollment, or a make-up session, covers it, regardless of who pays */
  readonly takesPart: boolean;
} | null;

/** Matches active enrollments of customer `c` for the event, whose session is neither credited nor made up for. */
const enrolledFor = (c: string, event: Sql, which: Sql): Sql => sql`EXISTS (
  SELECT FROM course_enrollment_date x JOIN course_enrollment n ON n.provider_id = x.provider_id
    AND n.id = x.course_enrollment_id
  WHERE x.provider_id = ${raw(c)}.provider_id AND x.event_id = ${event} AND n.customer_id = ${raw(c)}.id
    AND n.status = 'active'
    AND x.credit_reason IS NULL AND ${which}
    AND NOT EXISTS (SELECT FROM course_make_up m WHERE m.provider_id = x.provider_id
      AND m.course_enrollment_id = x.course_enrollment_id AND m.missed_event_id = x.event_id AND NOT m.given_up))`;

const makesUp = (c: string, event: Sql, which: Sql): Sql => sql`EXISTS (SELECT FROM course_make_up m
  WHERE m.provider_id = ${raw(c)}.provider_id AND m.event_id = ${event} AND m.customer_id = ${raw(c)}.id
    AND NOT m.given_up AND ${which})`;

/** One jsonb, which is `null` for most events: a single index lookup shows that they aren't sessions. */
const facts = (c: string, event: Sql): Sql => sql`coalesce((
  SELECT jsonb_build_object('single', s.single_price_minor, 'currency', p.currency,
    'paid', ${enrolledFor(c, event, sql`n.paid_by <> 'membership'`)} OR ${makesUp(c, event, sql`m.pays`)},
    'takesPart', ${enrolledFor(c, event, sql`true`)} OR ${makesUp(c, event, sql`true`)})
  FROM course_date d JOIN course_date_series s ON s.provider_id = d.provider_id AND s.id = d.course_date_series_id
    JOIN provider p ON p.provider_id = d.provider_id
  WHERE d.provider_id = ${raw(c)}.provider_id AND d.event_id = ${event}), 'null'::jsonb)`;

const NOTHING = { chosen: null, refusal: null, facts: {} } as const;

function toBePaid({ single, currency }: NonNullable<SessionFacts>): Objection {
  const price = amountText({ minor: single!, currency });
  return {
    code: COURSE_PROBLEMS.course_session_payment_required.code,
    message: {
      staff: `The session costs ${price}, before fees and taxes. Sell it with a checkout, or book the customer yourself: the price is charged to the account.`,
      customer: say`This ${one.session} costs ${price}, before fees and taxes.`,
    },
  };
}

export const coursePayer: Payer<SessionFacts> = {
  name: 'course',
  description: 'An enrolment in a course.',
  resource: 'course_enrollment',
  subject: 'course_enrollment',
  notComped: 'A comped booking needs no enrolment. Leave out one of the two.',
  refuseUnknown: () => null,
  refusals: [
    {
      kind: COURSE_PROBLEMS.course_enrollment_required,
      passed: say`The ${one.event} is not ${a.session} of ${a.course} that is sold as a whole, or the ${one.customer} takes part in it.`,
    },
    {
      kind: COURSE_PROBLEMS.course_session_payment_required,
      passed: say`The ${one.event} is not ${a.session} of ${a.course} that costs something, or it is paid for.`,
      payable: true,
      owed: true,
    },
  ],
  facts,
  read: (text) => JSON.parse(text),
  paid: (known) => known?.paid ?? false,
  reserves: (known) =>
    known === null || known.takesPart || known.single !== null
      ? null
      : {
          code: COURSE_PROBLEMS.course_enrollment_required.code,
          message: {
            staff:
              'This is a session of a course. Enrol the customer with `POST /course_date_series/{id}/enroll`, sell the course with a checkout, or send `comped`.',
            customer: say`This is one ${one.session} of ${a.course}. Book the whole ${one.course}.`,
          },
        },
  choose: (known, { settled }) => {
    if (known === null) return NOTHING;
    const shown = { takes_part: known.takesPart, single_date_price: known.single };
    const objects = !settled && !known.takesPart && known.single !== null && known.single > 0;
    return { chosen: null, refusal: objects ? toBePaid(known) : null, facts: shown };
  },
  // The rows of the enrollment show what it pays for. They are written before its sessions are booked.
  debit: () => [],
  credit: creditSessions,
  // A customer who was credited for the session does not get the place back as well. For all others, the rows of the
  // enrollment remain when an event is cancelled, so nothing has to be debited again.
  gaveBack: (provider, event) => sql`
    SELECT a.id AS attendance, max(n.id) AS subject FROM attendance a
      JOIN course_enrollment n ON n.provider_id = a.provider_id AND n.customer_id = a.customer_id
      JOIN course_enrollment_date x ON x.provider_id = n.provider_id AND x.course_enrollment_id = n.id
        AND x.event_id = a.event_id
    WHERE a.provider_id = ${provider} AND a.event_id = ${event} AND x.credit_reason IS NOT NULL GROUP BY a.id`,
  paysOnce: 'They got the price of this session back. Sell it to them as a single session, or book them with `comped`.',
  givenBackFor: async () => null,
};
