import { raw } from '../../kernel/db/sql.ts';
import { embeddedOne, id, instant, integer, object, oneOf, ref, refBy, text } from '../../kernel/api/kinds.ts';
import { ofMyFamily } from '../customers/index.ts';
import { payingMembership } from '../entitlements/index.ts';
import { placeOf, resource } from '../../kernel/api/resource.ts';

export const ATTENDANCE_STATUSES = ['not_registered', 'registered', 'attended', 'no_show', 'late_cancelled'] as const;

export const attendance = resource('attendance', {
  description: 'What is between one customer and one event: a booking, a visit, an absence, a cancellation.',
  counted: true,
  fields: {
    id: id(),
    event: ref('event'),
    customer: ref('customer').nullable(),
    status: oneOf(ATTENDANCE_STATUSES),
    customer_membership: refBy('customermembership', payingMembership)
      .nullable()
      .describe('The membership that pays: whose use is not given back; null: a drop-in, or nothing was to be paid.'),
    booking_source: object({ id: id(), name: text() })
      .nullable()
      .computed((t) => [raw(`${t}.booking_application_id`), raw(`${t}.booking_application_name`)], ([source, name]) => (source === null ? null : { id: Number(source), name }))
      .describe('The application through which the booking was made, and what it was called then. Null: it was made without one, or the place came from the waitlist.'),
    waitlist_spot: embeddedOne(
      'waitlist_spot',
      (t) => raw(`(SELECT max(s.id) FROM waitlist_spot s WHERE s.provider_id = ${t}.provider_id AND s.event_id = ${t}.event_id AND s.customer_id = ${t}.customer_id)`),
    ).nullable().deferred().describe('The last spot that the customer had on the waitlist of the event.'),
    registered_at: instant().nullable().deferred(),
    cancelled_at: instant().nullable().deferred(),
    attended_at: instant().nullable().deferred(),
  },
  visible: {
    provider: true,
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  place: placeOf('event'),
});

export const waitlistSpot = resource('waitlist_spot', {
  description: 'A place in the queue for an event.',
  fields: {
    id: id(),
    event: ref('event'),
    customer: ref('customer'),
    status: oneOf(['on_waitlist', 'spot_reserved', 'expired', 'rejected']),
    added_at: instant(),
    spot_reserved_at: instant().nullable(),
    reserved_spot_expires_at: instant().nullable(),
    position: integer({ min: 1 })
      .nullable()
      .deferred()
      .from((t) => raw(`CASE WHEN ${t}.ended_at IS NULL THEN 1 + (SELECT count(*) FROM waitlist_spot w
        WHERE w.provider_id = ${t}.provider_id AND w.event_id = ${t}.event_id AND w.ended_at IS NULL AND w.status = 'on_waitlist' AND w.id < ${t}.id) END`))
      .describe('1 is the next; null once the wait is over. Who has a place kept is not in the way of others.'),
  },
  visible: {
    provider: true,
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  place: placeOf('event'),
});

