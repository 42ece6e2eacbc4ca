import { OPENS_BEFORE_MINUTES } from '../rules/online-window.ts';
import { raw, param, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import {
  boolean,
  collection,
  embedded,
  id,
  idsOf,
  instant,
  integer,
  object,
  oneOf,
  ref,
  refBy,
  text,
  uri,
  zonedInstant,
} from '../../../../kernel/base/fields/kinds.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import {
  atMyVenues,
  nowInstant,
  viewedByStaff,
  viewingCustomer,
  type Input,
} from '../../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../../people/customers/index.ts';
import { onOfferToMembers } from '../../offerings/index.ts';
import { payers } from '../bookings/payer-port.ts';
import { atVenue, resource } from '../../../../kernel/api/resource.ts';
import type { Field, Wire } from '../../../../kernel/base/fields/field.ts';
import { customerColumns, customerFacts, eventColumns, eventFacts, timelineIds } from '../bookings/facts.ts';
import { registrationStatus, statusShape } from '../bookings/registration-status.ts';
import type { Place } from '../rules/booking.ts';
import { ANYBODY, resolveWindow, type Window } from '../rules/window.ts';

export const EVENT_STATUSES = ['active', 'cancelled'] as const;

/**
 * Evaluated once for a whole list: most businesses have no such timeline, and then no event needs to look for its own.
 */
const anyCalendar = raw(
  'EXISTS (SELECT FROM registration_timeline c WHERE c.provider_id = current_provider_id() AND c.calendar_opens_interval > 0)',
);

/**
 * Returns the condition that the calendar shows an event to customers: from its own time on, or from that of the
 * timelines that apply to the viewer, as in `resolveWindow`. If no timeline applies, or one of them sets no time, it is
 * always shown.
 */
const calendarHasOpened = (t: string) => sql`coalesce(${raw(t)}.calendar_opens_at, CASE WHEN ${anyCalendar} THEN (
    SELECT CASE WHEN count(*) = count(nullif(rt.calendar_opens_interval, 0))
      THEN ${raw(t)}.starts_at - make_interval(mins => max(rt.calendar_opens_interval)) END
    FROM registration_timeline rt
    WHERE rt.provider_id = ${raw(t)}.provider_id AND rt.id IN (${timelineIds(t)})
      AND (rt.audience_type = 'everyone' OR (rt.audience_type = 'specific_customers' AND EXISTS (
        SELECT FROM registration_timeline_customer n
        WHERE n.provider_id = rt.provider_id AND n.registration_timeline_id = rt.id
          AND n.customer_id = ${viewingCustomer}::bigint))
        OR (rt.audience_type IN ('membership_holders', 'specific_memberships')
          AND EXISTS (SELECT FROM (${payers.filled.usable(viewingCustomer, sql`${raw(t)}.local_starts_at::date`)}) u
          WHERE rt.audience_type = 'membership_holders' OR EXISTS (SELECT FROM registration_timeline_membership l
            WHERE l.provider_id = rt.provider_id AND l.registration_timeline_id = rt.id
              AND l.membership_id = u.membership))))
  ) END, '-infinity'::timestamptz) <= ${nowInstant}::timestamptz`;

/** Returns its own category, or else that of its offering type. */
export const categoryOf = (t: string): Sql =>
  raw(
    `coalesce(${t}.category_id, (SELECT o.category_id FROM offering_type o WHERE o.provider_id = ${t}.provider_id AND o.id = ${t}.offering_type_id))`,
  );

/** Returns the SQL text of the condition that every place is booked or reserved; it is never null. */
export const isFull = (t: string): string =>
  `(${t}.max_occupancy IS NOT NULL AND ${t}.attending_count + ${t}.held_count >= ${t}.max_occupancy)`;

/** Returns the SQL text of the condition that no place online is free; it is never null. */
export const isOnlineFull = (t: string): string =>
  `(${t}.online_attending_count + ${t}.online_held_count >= coalesce(${t}.online_max_occupancy, 0))`;

const ofOffering = (t: string, shown: Sql) =>
  sql`${raw(t)}.offering_type_id IN (SELECT o.id FROM offering_type o
    WHERE o.provider_id = ${raw(t)}.provider_id AND ${shown})`;

/** Appointments and rentals are created for the customers who book them, and shown to nobody else. */
const forAnybody = raw(`o.schedule_type NOT IN ('appointment', 'room_rental')`);

const onSale = (t: string) =>
  sql`${calendarHasOpened(t)}
    AND ${ofOffering(t, sql`${forAnybody} AND o.status = 'active' AND o.customer_visibility = 'public'`)}`;
const onSaleToMembers = (t: string) =>
  sql`${calendarHasOpened(t)} AND ${ofOffering(t, sql`${forAnybody} AND ${onOfferToMembers('o')}`)}`;

/** Customers who have a booking, a waitlist spot or a held seat keep seeing the event, so that they can cancel. */
const bookedByMe = (t: string) =>
  sql`${raw(t)}.id IN (SELECT a.event_id FROM attendance a
    WHERE a.provider_id = current_provider_id() AND a.status <> 'not_registered' AND ${ofMyFamily('a.customer_id')}
    UNION ALL SELECT s.event_id FROM waitlist_spot s
    WHERE s.provider_id = current_provider_id() AND s.ended_at IS NULL AND ${ofMyFamily('s.customer_id')}
    UNION ALL SELECT h.event_id FROM seat_hold h
    WHERE h.provider_id = current_provider_id() AND ${ofMyFamily('h.customer_id')})`;

/**
 * Returns the condition that the viewer's family has a booking at venue `t` for an event that can be joined online now;
 * a waitlist spot doesn't count.
 */
export const whereBookedByMe = (t: string) =>
  sql`${raw(t)}.id IN (SELECT CASE a.place WHEN 'online' THEN e.online_venue_id ELSE e.venue_id END FROM attendance a
    JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    WHERE a.provider_id = current_provider_id() AND a.status IN ('registered', 'attended') AND e.status = 'active'
      AND e.starts_at <= ${nowInstant}::timestamptz + interval '${raw(String(OPENS_BEFORE_MINUTES))} minutes'
      AND e.ends_at > ${nowInstant}::timestamptz AND ${ofMyFamily('a.customer_id')})`;

/** Returns a time of the window that applies to everybody; if nobody may book, that of the defaults. */
const ofWindow = (pick: (w: Window) => number): Field<number> =>
  instant().computed(eventColumns, (row) => {
    const { event, windowFacts } = eventFacts(row);
    const window = resolveWindow(windowFacts, ANYBODY) ?? resolveWindow({ ...windowFacts, timelines: [] }, ANYBODY)!;
    return formatInstant(pick(window), event.zone);
  });

/** The customer whose registration status is returned: the viewer, or another customer whom they may see. */
const activeCustomer = param<Input>((i) => i.query.active_customer ?? i.viewer.customerId);

/** The kind of place that the status is about; null for that of the customer's booking or spot, or else the venue. */
const activePlace = param<Input>((i) => i.query.active_place ?? null);

const EVENT_COLUMNS = eventColumns('t').length;

const statusColumns = (t: string) => [
  ...eventColumns(t),
  sql`${activePlace}::text`,
  ...customerColumns('c', raw(`${t}.id`)).map(
    (expression) => sql`(SELECT ${expression} FROM customer c
      WHERE c.provider_id = ${raw(t)}.provider_id AND c.id = ${activeCustomer} AND c.deleted_at IS NULL
      AND (${viewedByStaff}::boolean OR ${ofMyFamily('c.id')}) AND ${atMyVenues(`${t}.venue_id`)})`,
  ),
];

function printStatus(row: (string | null)[], wire: Wire) {
  const [forEvent, [place, ...forCustomer]] = [row.slice(0, EVENT_COLUMNS), row.slice(EVENT_COLUMNS)];
  return forCustomer[0] === null
    ? null
    : registrationStatus(eventFacts(forEvent), customerFacts(forCustomer), wire.now, (place as Place) ?? undefined);
}

/** Returns the address of the page of an event, to which emails and text messages link. */
export const eventPath = (providerId: number, eventId: number): string => `/account/${providerId}/events/${eventId}`;

/** Returns the address at which a booking of it is added to the wallet of a phone. */
export const passesPath = (providerId: number, eventId: number): string =>
  `/account/${providerId}/passes/events/${eventId}`;

export const event = resource('event', {
  description: 'A single occurrence of an offering: a class, an appointment or a session.',
  counted: true,
  fields: {
    id: id(),
    name: text({ max: 200 }),
    starts_at: zonedInstant('starts_at'),
    ends_at: zonedInstant('ends_at'),
    status: oneOf(EVENT_STATUSES),
    max_occupancy: integer({ min: 1 }).nullable().describe('The places at the venue. Null means no limit.'),
    waitlist_max_override: integer({ min: 0 }).nullable(),
    attending_count: integer({ min: 0 }),
    waiting_count: integer({ min: 0 }),
    is_full: boolean()
      .from((t) => raw(isFull(t)))
      .describe('No place at the venue is free: each is booked, or held for someone.'),
    online_venue: ref('venue', 'online_venue_id')
      .nullable()
      .describe('For an event with places online too: the online venue with the address of the video call.'),
    online_max_occupancy: integer({ min: 1 })
      .nullable()
      .describe('The places online, which are booked and waited for separately. Null means that there are none.'),
    online_attending_count: integer({ min: 0 }),
    online_waiting_count: integer({ min: 0 }),
    is_online_full: boolean()
      .from((t) => raw(isOnlineFull(t)))
      .describe('No place online is free, or there are none.'),
    is_appointment: boolean().from((t) =>
      raw(
        `(SELECT o.schedule_type = 'appointment' FROM offering_type o
          WHERE o.provider_id = ${t}.provider_id AND o.id = ${t}.offering_type_id)`,
      ),
    ),
    small_session_attendances: idsOf('attendance', { column: 'event_id' }, (c) =>
      raw(
        `${c}.status IN ('registered', 'attended', 'no_show')
          AND EXISTS (SELECT FROM event e WHERE e.provider_id = ${c}.provider_id AND e.id = ${c}.event_id
            AND e.max_occupancy <= 10)`,
      ),
    ).describe('The bookings of an event that has at most ten places.'),
    venue: ref('venue'),
    venue_room: ref('venue_room').nullable(),
    registrations_open_at: ofWindow((w) => w.opensAt),
    registrations_close_at: ofWindow((w) => w.closesAt),
    late_cancel_deadline: ofWindow((w) => w.lateCancelsAfter),
    instructors: collection(
      'instructor',
      { table: 'event_instructor', parent: 'event_id', child: 'instructor_id' },
      (eventId) => `/instructors?event=${eventId}`,
    ),
    offering_type: ref('offering_type'),
    customer_url: uri().computed(
      (t) => [raw(`${t}.provider_id`), raw(`${t}.id`)],
      ([providerId, eventId], wire) => `${wire.pagesUrl}${eventPath(Number(providerId), Number(eventId))}`,
    ),
    provider_url: uri()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Null, because there is no event page for staff.'),
    description: text({ blank: true }).from((t) =>
      raw(
        `coalesce(${t}.description, (SELECT o.description FROM offering_type o WHERE o.provider_id = ${t}.provider_id AND o.id = ${t}.offering_type_id), '')`,
      ),
    ),
    schedule_type: text().from((t) =>
      raw(
        `(SELECT o.schedule_type FROM offering_type o
          WHERE o.provider_id = ${t}.provider_id AND o.id = ${t}.offering_type_id)`,
      ),
    ),
    category: refBy('offering_type_category', categoryOf)
      .nullable()
      .deferred()
      .describe("The event's own category, or else that of its offering type. Null if neither has one."),
    registration_timelines: embedded('registration_timeline', {
      table: 'event_registration_timeline',
      parent: 'event_id',
      child: 'registration_timeline_id',
    }),
    active_registration_status: object(statusShape)
      .nullable()
      .deferred()
      .computed(statusColumns, printStatus)
      .describe(
        'For the customer who views the event, or whom `active_customer` names. Customers can name their family, staff anyone.',
      ),
    external_id: text({ max: 50 }).nullable(),
    series: ref('event_series', 'series_id').nullable().describe('The recurring series that the event belongs to.'),
    calendar_opens_at: zonedInstant('calendar_opens_at').nullable().deferred(),
    timezone: text().deferred().describe("Time zone of the venue, in which the event's times are planned."),
  },
  visible: {
    provider: true,
    customer: (t) => sql`(${onSaleToMembers(t)}) OR ${bookedByMe(t)}`,
    unregistered: (t) => sql`${onSale(t)}`,
  },
  place: atVenue('venue_id', 'public'),
});
