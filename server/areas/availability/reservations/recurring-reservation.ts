import { atMyVenues, viewedByStaff } from '../../../kernel/work/access/viewer.ts';
import {
  boolean,
  collection,
  date,
  id,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  ref,
  refBy,
  text,
  wallTime,
} from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { ON_CONFLICT, OUTCOMES } from './rules/standing.ts';
import { atVenue, resource } from '../../../kernel/api/resource.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A date that is moved to an alternative from the preview, or to any other time. */
export const movedDate = {
  date: date().describe('The date that is moved: one of those on which it would take place.'),
  local_starts_at: wallTime(),
  instructor: ref('instructor').nullable().optional().describe('If left out, as on the other dates.'),
  venue_room: ref('venue_room').nullable().optional().describe('If left out, as on the other dates.'),
};

export const recurringReservation = resource('recurring_reservation', {
  description:
    'A standing booking: the same time every week for one customer. Of classes, it books the events that are there, and those that are created later. Of appointments and room rentals, it takes a free time on each date, up to a year ahead.',
  fields: {
    id: id(),
    customer: ref('customer'),
    event_series: refBy('event_series', (t) =>
      raw(`(SELECT max(s.event_series_id) FROM recurring_reservation_series s
          WHERE s.provider_id = ${t}.provider_id AND s.recurring_reservation_id = ${t}.id)`),
    )
      .nullable()
      .describe(
        'The recurring series whose events are booked, also if their time changes. If null, events of the offering type at the venue are booked, on this day of the week at this time, or of an appointment or a rental, free times.',
      ),
    offering_type: ref('offering_type'),
    venue: ref('venue'),
    instructor: ref('instructor')
      .nullable()
      .describe('If set, only events or free times with this instructor are booked.'),
    venue_room: ref('venue_room').nullable().describe('If set, only free times in this room are booked.'),
    weekday: oneOf(WEEKDAYS).from((t) => raw(`(ARRAY[${WEEKDAYS.map((day) => `'${day}'`).join(', ')}])[${t}.weekday]`)),
    local_time: text({ max: 5 })
      .from((t) => raw(`to_char(${t}.local_time, 'HH24:MI')`))
      .describe('By the clock of the venue, for example 19:00. If it follows a series, the time at the beginning.'),
    start_date: date(),
    end_date: date().nullable().describe('The last day. Null: until it is ended, or until `times` is reached.'),
    times: integer({ min: 1 })
      .nullable()
      .describe('Maximum number of dates. Dates that could not be booked don’t count.'),
    skipped_dates: listOf(date()).computed(
      (t) => [raw(`to_json(${t}.skipped_dates)::text`)],
      ([dates]) => JSON.parse(dates!),
    ),
    moved_dates: listOf(object(movedDate)).describe(
      'Dates of an appointment or a rental that take another time than the others.',
    ),
    customer_membership: ref('customermembership', 'customer_membership_id')
      .nullable()
      .describe('The membership that pays. If null, whatever would pay for a single booking.'),
    comped: boolean(),
    on_conflict: oneOf(ON_CONFLICT),
    status: oneOf(['active', 'ended']),
    end_reason: oneOf(['requested', 'completed', 'customer_deleted']).nullable(),
    created_at: instant(),
    ended_at: instant().nullable(),
    dates: collection(
      'recurring_reservation_date',
      { column: 'recurring_reservation_id' },
      (reservation) => `/recurring_reservations/${reservation}/dates`,
    ),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  place: atVenue('venue_id'),
});

/** Selects the attendance of the customer at the event of date `t`; null if there is none. */
const attendanceAt = (t: string, what: string) =>
  raw(`
    (SELECT ${what} FROM attendance a JOIN recurring_reservation r ON r.provider_id = a.provider_id
      AND r.customer_id = a.customer_id
    WHERE a.provider_id = ${t}.provider_id AND a.event_id = ${t}.event_id AND r.id = ${t}.recurring_reservation_id)`);

/** Selects the start of date `t`. */
export const startsAt = (t: string) =>
  raw(
    `coalesce((SELECT e.starts_at FROM event e WHERE e.provider_id = ${t}.provider_id AND e.id = ${t}.event_id), ${t}.starts_at)`,
  );

/** Matches dates on which the customer has no place although the event takes place, while the reservation is active. */
export const isUnavailable = (t: string) =>
  sql`
    (${raw(t)}.outcome IN ('unavailable', 'waitlisted')
      AND coalesce(${attendanceAt(t, 'a.status')}, '') NOT IN ('registered', 'attended', 'no_show')
    AND (${raw(t)}.event_id IS NULL OR EXISTS
      (SELECT FROM event e WHERE e.provider_id = ${raw(t)}.provider_id AND e.id = ${raw(t)}.event_id
        AND e.status = 'active'))
    AND EXISTS (SELECT FROM recurring_reservation r
      WHERE r.provider_id = ${raw(t)}.provider_id AND r.id = ${raw(t)}.recurring_reservation_id
        AND r.status = 'active'))`;

const messageText = (t: string, expression: string) =>
  raw(`(SELECT coalesce(jsonb_agg(${expression}), '[]'::jsonb) FROM jsonb_array_elements(${t}.reasons) m)`);

export const reservationDate = resource('recurring_reservation_date', {
  object: null,
  description: 'One date of a recurring reservation, and what became of it when it was to be booked.',
  fields: {
    date: date().from((t) => raw(`${t}.local_date`)),
    event: ref('event')
      .nullable()
      .describe('Null if the date is of an appointment or a rental, and its time was not taken.'),
    starts_at: instant().from(startsAt).describe('When the event begins, or would have begun.'),
    attendance: refBy('attendance', (t) => attendanceAt(t, 'a.id'))
      .nullable()
      .describe('Null if the customer has nothing to do with the event. Who is on the waitlist has one.'),
    outcome: oneOf(OUTCOMES).describe(
      'Result of the booking. `already_booked`: the customer had booked the event before. `opens_later`: it is booked when booking opens. The status of the attendance shows its current state.',
    ),
    registrations_open_at: instant()
      .nullable()
      .from((t) => raw(`${t}.opens_at`))
      .describe('Time when it will be booked, if `outcome` is `opens_later`.'),
    reasons: listOf(text())
      .from((t) => messageText(t, "m->'code'"))
      .describe(
        'Why it could not be booked: the code with which a booking would be refused; `overlapping_booking` if the customer is booked elsewhere at that time; or for a time that is not free, a code of `GET /slots/{id}/explain`, or `not_offered`.',
      ),
    messages: listOf(text())
      .from(
        (t) =>
          sql`CASE WHEN ${viewedByStaff}::boolean THEN ${messageText(t, "m->'staff'")}
            ELSE ${messageText(t, "m->'customer'")} END`,
      )
      .describe('The reasons in words.'),
  },
  visible: {
    provider: true,
    customer: (t) => sql`EXISTS (SELECT FROM recurring_reservation r WHERE r.provider_id = ${raw(t)}.provider_id
      AND r.id = ${raw(t)}.recurring_reservation_id AND ${ofMyFamily('r.customer_id')})`,
    unregistered: false,
  },
  place: {
    within: (t) => sql`EXISTS (SELECT FROM recurring_reservation r WHERE r.provider_id = ${raw(t)}.provider_id
      AND r.id = ${raw(t)}.recurring_reservation_id AND ${atMyVenues('r.venue_id')})`,
    elsewhere: 'hidden',
  },
});
