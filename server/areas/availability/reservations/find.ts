import { isOneOf } from './rows.ts';
import { atMyVenues, viewedByStaff, type Input } from '../../../kernel/work/access/viewer.ts';
import { choice, filter, list, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { isUnavailable, recurringReservation, reservationDate, startsAt } from './recurring-reservation.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { param, raw, sql, type Param } from '../../../kernel/base/db/sql.ts';

const who: Who = { provider: true, customer: true, unregistered: false };

const ids = (column: string): Filter =>
  filter(listOf(id()), (t, v) => sql`${raw(`${t}.${column}`)} = ANY(${v}::bigint[])`);

const parent = param<Input>((i) => i.id);
const ofParent = (t: string) => sql`${raw(t)}.recurring_reservation_id = ${parent}`;

export const findReservations = [
  ...listAndGet(recurringReservation, {
    path: '/recurring_reservations',
    summary: 'List recurring reservations',
    get: 'Get a recurring reservation',
    who,
    filters: {
      customer: ids('customer_id'),
      offering_types: ids('offering_type_id'),
      venue: ids('venue_id'),
      event_series: filter(
        listOf(id()),
        (t, v) => sql`EXISTS (SELECT FROM recurring_reservation_series s WHERE s.provider_id = ${raw(t)}.provider_id
          AND s.recurring_reservation_id = ${raw(t)}.id AND s.event_series_id = ANY(${v}::bigint[]))`,
      ),
      status: filter(
        listOf(oneOf(['active', 'ended'])),
        (t, statuses) => sql`${raw(t)}.status = ANY(${statuses}::text[])`,
      ),
    },
    sort: { created_at: { by: (t) => raw(`${t}.created_at`) } },
  }),
  list(reservationDate, {
    path: '/recurring_reservations/{id}/dates',
    summary: 'List the dates of a recurring reservation',
    description: 'Returns each date that was to be booked so far, past ones too, with what became of it.',
    who,
    target: recurringReservation,
    within: ofParent,
    sort: { date: { by: (t) => raw(`${t}.local_date`) } },
    defaultSort: 'date',
  }),
  list(reservationDate, {
    path: '/recurring_reservations/{id}/unavailable_upcoming_events',
    summary: 'List upcoming events that a recurring reservation could not book',
    description:
      'Returns the events that have not started, and the free times that were not taken, with the reasons. Who got a place meanwhile is no longer listed as active.',
    who,
    target: recurringReservation,
    within: (t) => sql`${ofParent(t)} AND ${raw(t)}.outcome IN ('unavailable', 'waitlisted')
      AND ${startsAt(t)} > ${now}::timestamptz`,
    filters: {
      status: choice(
        oneOf(['active', 'ended'])
          .default('active')
          .describe(
            '`active`: the customer has no place there. `ended`: this no longer applies, because they got a place, the event was cancelled, or the reservation ended.',
          ),
        { active: isUnavailable, ended: (t) => sql`NOT ${isUnavailable(t)}` },
      ),
    },
    sort: { date: { by: (t) => raw(`${t}.local_date`) } },
    defaultSort: 'date',
  }),
];

const now = param<Input>((i) => new Date(i.now).toISOString());

/** Event `e` belongs to a reservation that the caller may see. */
const applicable = (e: string, reservation: Param) => sql`EXISTS (SELECT FROM recurring_reservation r
  WHERE r.provider_id = ${raw(e)}.provider_id AND r.id = ${reservation} AND ${isOneOf(e, 'r')}
    AND ((${viewedByStaff}::boolean AND ${atMyVenues('r.venue_id')}) OR ${ofMyFamily('r.customer_id')}))`;

export const eventFilters = {
  applicable_to_recurring_reservation: filter(
    id().describe('Only events that this recurring reservation is for.'),
    applicable,
  ),
};

export const attendanceFilters = {
  event_applicable_to_recurring_reservation: filter(
    id().describe('Only at events that this recurring reservation is for.'),
    (t, reservation) => sql`EXISTS (SELECT FROM event applied WHERE applied.provider_id = ${raw(t)}.provider_id
      AND applied.id = ${raw(t)}.event_id AND ${applicable('applied', reservation)})`,
  ),
};
