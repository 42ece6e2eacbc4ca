import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import {
  boolean,
  embeddedOne,
  id,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  ref,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { PLACES } from '../rules/booking.ts';
import { ofMyFamily } from '../../../people/customers/index.ts';
import { requirementOn, requirements, requirementShape } from '../bookings/requirements.ts';
import { placeOf, resource } from '../../../../kernel/api/resource.ts';

export const ATTENDANCE_STATUSES = ['not_registered', 'registered', 'attended', 'no_show', 'late_cancelled'] as const;

export const attendance = resource('attendance', {
  description:
    "A customer's relation to an event: booked, attended, absent, cancelled or on the waitlist. One for each customer and event.",
  counted: true,
  fields: {
    id: id(),
    event: ref('event'),
    customer: ref('customer').nullable(),
    status: oneOf(ATTENDANCE_STATUSES).describe(
      '`not_registered` means on the waitlist or cancelled in time. Expand `waitlist_spot` to see which.',
    ),
    place: oneOf(PLACES).describe(
      '`online`: takes part by video call, in an event that also takes place at its venue.',
    ),
    booking_source: object({ id: id(), name: text() })
      .nullable()
      .computed(
        (t) => [raw(`${t}.booking_application_id`), raw(`${t}.booking_application_name`)],
        ([source, name]) => (source === null ? null : { id: Number(source), name }),
      )
      .describe(
        'The application that made the booking, with its name at that time. Null without one, or if the spot came from the waitlist.',
      ),
    waitlist_spot: embeddedOne('waitlist_spot', (t) =>
      raw(`
        (SELECT CASE WHEN s.ended_at IS NULL OR s.status IN ('expired', 'rejected') THEN s.id END FROM waitlist_spot s
          WHERE s.provider_id = ${t}.provider_id AND s.event_id = ${t}.event_id AND s.customer_id = ${t}.customer_id
          ORDER BY s.ended_at IS NULL DESC, s.id DESC LIMIT 1)`),
    )
      .nullable()
      .deferred()
      .describe(
        "The customer's spot on the waitlist. Null if they never joined it, left it or got a place. An `expired` or `rejected` spot is shown until they join again.",
      ),
    registered_at: instant().nullable().deferred(),
    cancelled_at: instant().nullable().deferred(),
    attended_at: instant().nullable().deferred(),
    is_first_visit: boolean()
      .deferred()
      .from((t) =>
        raw(`NOT EXISTS (SELECT FROM event this JOIN attendance came ON came.provider_id = this.provider_id
          JOIN event other
          ON other.provider_id = came.provider_id AND other.id = came.event_id
          WHERE this.provider_id = ${t}.provider_id AND this.id = ${t}.event_id AND came.customer_id = ${t}.customer_id
            AND came.status = 'attended' AND other.starts_at < this.starts_at)`),
      )
      .describe('Whether the customer has not come to any event that starts before this one.'),
    requirements: listOf(requirementShape)
      .deferred()
      .computed(
        (t) => [
          raw(`${t}.provider_id`),
          raw(`${t}.customer_id`),
          raw(`(SELECT extract(epoch FROM ev.starts_at) * 1000 FROM event ev
            WHERE ev.provider_id = ${t}.provider_id AND ev.id = ${t}.event_id)`),
          sql`(SELECT ${requirements.filled.column('who', raw(`${t}.event_id`))} FROM customer who
            WHERE who.provider_id = ${raw(t)}.provider_id AND who.id = ${raw(t)}.customer_id)`,
        ],
        ([provider, customer, startsAt, known], { now, pagesUrl }) =>
          known === null
            ? []
            : requirements.filled
                .missing(Number(provider), Number(customer), JSON.parse(known), { now, startsAt: Number(startsAt) })
                .map((one) => requirementOn(pagesUrl, one)),
      )
      .describe('What the customer has not completed yet, for example a form.'),
  },
  visible: {
    provider: true,
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  place: placeOf('event'),
});

export const waitlistSpot = resource('waitlist_spot', {
  description: "A customer's spot on the waitlist of an event.",
  fields: {
    id: id(),
    event: ref('event'),
    customer: ref('customer'),
    status: oneOf(['on_waitlist', 'spot_reserved', 'expired', 'rejected']),
    place: oneOf(PLACES).describe('The kind of place that the customer waits for.'),
    added_at: instant(),
    spot_reserved_at: instant().nullable(),
    reserved_spot_expires_at: instant().nullable(),
    position: integer({ min: 1 })
      .nullable()
      .deferred()
      .from((t) =>
        raw(`CASE WHEN ${t}.ended_at IS NULL THEN 1 + (SELECT count(*) FROM waitlist_spot w
        WHERE w.provider_id = ${t}.provider_id AND w.event_id = ${t}.event_id AND w.ended_at IS NULL
          AND w.status = 'on_waitlist' AND w.place = ${t}.place AND w.id < ${t}.id) END`),
      )
      .describe(
        '1 is next in line. Null once the wait has ended. Customers who are being offered a place are not counted.',
      ),
  },
  visible: {
    provider: true,
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  place: placeOf('event'),
});
