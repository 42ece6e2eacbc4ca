import { id, idsOf, instant, integer, money, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { placeOf, resource } from '../../../kernel/api/resource.ts';
import { raw } from '../../../kernel/base/db/sql.ts';

export const PAID_BY = ['nothing', 'comped', 'checkout', 'membership', 'account'] as const;

const sum = (t: string) =>
  raw(`coalesce((SELECT sum(d.credit_minor) FROM course_enrollment_date d
    WHERE d.provider_id = ${t}.provider_id AND d.course_enrollment_id = ${t}.id), 0)`);

export const courseEnrollment = resource('course_enrollment', {
  description: 'A customer takes part in a date series of a course, from one of its sessions on.',
  fields: {
    id: id(),
    course_date_series: ref('course_date_series'),
    customer: ref('customer'),
    status: oneOf(['active', 'cancelled']),
    paid_by: oneOf(PAID_BY).describe(
      '`nothing`: it is free. `membership`: each session takes a use. `account`: staff enrolled without a payment, and the price was charged to the account.',
    ),
    customer_membership: ref('customermembership', 'customer_membership_id').nullable(),
    price: money()
      .from((t) => raw(`${t}.price_minor`))
      .describe('Price of its sessions before discount, fees and taxes.'),
    invoice: ref('invoice').nullable().describe('The invoice that billed it, if a checkout sold it.'),
    charge: ref('account_entry', 'account_entry_id')
      .nullable()
      .describe('The charge to the account, if staff enrolled without a payment.'),
    credited: money().from(sum).describe('Amount returned for sessions, including fees and taxes.'),
    course_sessions: idsOf('course_session', {
      table: 'course_enrollment_date',
      parent: 'course_enrollment_id',
      child: 'event_id',
    }).describe('The sessions that it is for, also those that were missed or cancelled.'),
    session_count: integer({ min: 0 }).from((t) =>
      raw(
        `(SELECT count(*) FROM course_enrollment_date d
          WHERE d.provider_id = ${t}.provider_id AND d.course_enrollment_id = ${t}.id)`,
      ),
    ),
    enrolled_at: instant(),
    cancelled_at: instant().nullable(),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  place: placeOf('course_date_series'),
});

export const courseMakeUp = resource('course_make_up', {
  description: 'A session that a customer attends in place of one that they missed.',
  fields: {
    id: id(),
    course_enrollment: ref('course_enrollment'),
    customer: ref('customer'),
    missed_course_session: ref('course_session', 'missed_event_id'),
    course_session: ref('course_session', 'event_id'),
    created_at: instant(),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  place: placeOf('event'),
});

export const courseWaitlistSpot = resource('course_waitlist_spot', {
  description: 'A customer waits for a place in a date series.',
  fields: {
    id: id(),
    course_date_series: ref('course_date_series'),
    customer: ref('customer'),
    status: oneOf(['waiting', 'offered', 'enrolled', 'left', 'expired', 'ended']),
    added_at: instant(),
    offered_until: instant().nullable().describe('Until then, a place at each session that is left is kept.'),
    position: integer({ min: 1 })
      .nullable()
      .from((t) =>
        raw(`CASE ${t}.status WHEN 'waiting' THEN 1 + (SELECT count(*) FROM course_waitlist_spot w
          WHERE w.provider_id = ${t}.provider_id AND w.course_date_series_id = ${t}.course_date_series_id
            AND w.status = 'waiting' AND w.id < ${t}.id) END`),
      )
      .describe('1 is next in line.'),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  place: placeOf('course_date_series'),
});
