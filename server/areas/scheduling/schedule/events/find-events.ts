import { raw, param, sql } from '../../../../kernel/base/db/sql.ts';
import { boolean, id, instant, integer, listOf, oneOf, text, wallTime } from '../../../../kernel/base/fields/kinds.ts';
import { filter, type SortKey, type Filter, type Who, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { contains } from '../../../../kernel/api/reading/text-filters.ts';
import { Field } from '../../../../kernel/base/fields/field.ts';
import { viewingStaff, type Input } from '../../../../kernel/work/access/viewer.ts';
import { categoryOf, event, EVENT_STATUSES, isFull, isOnlineFull } from './event.ts';
import { PLACES } from '../rules/booking.ts';

/** The schedule is public; staff need one of the permissions related to it. */
export const whoSeesEvents: Who = {
  provider: ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances', 'developer', 'pos'],
  customer: true,
  unregistered: true,
};

/** Returns a count over both kinds of places. */
const both = (t: string, of: 'attending' | 'waiting') => raw(`(${t}.${of}_count + ${t}.online_${of}_count)`);

/** Returns the condition that no place of either kind is free. */
const full = (t: string) => raw(`(${isFull(t)} AND ${isOnlineFull(t)})`);

const activePlace = oneOf(PLACES).optional().describe('The kind of place that active_registration_status is about.');

const OCCUPANCY = ['full', 'has_registrations', 'has_waitlist', 'empty', 'not_full'] as const;

/** Ids, or `me` for the staff member who sends the request. */
const instructorIds = new Field<number[] | 'me'>({
  schema: { type: 'string', description: 'Comma-separated list of ids, or "me".' },
  read: (input, path, reading) => (input === 'me' ? 'me' : listOf(id()).spec.read(input, path, reading)),
});

const askedInstructors = param<Input>((i) => (i.query.instructors === 'me' ? [] : i.query.instructors));
const asksMe = param<Input>((i) => i.query.instructors === 'me');

const bound = (column: string, operator: '>=' | '<=', kind: Field<any>, type: string, description?: string): Filter =>
  filter(
    description ? kind.describe(description) : kind,
    (t, at) => sql`${raw(`${t}.${column} ${operator}`)} ${at}::${raw(type)}`,
  );

/** Returns the filter for an instant in a query parameter. */
const instantBound = (column: string, operator: '>=' | '<=', name: string, description?: string): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(
    description ? instant().describe(description) : instant(),
    (t) => sql`${raw(`${t}.${column} ${operator}`)} ${at}::timestamptz`,
  );
};

const any = (column: string): Filter =>
  filter(listOf(id()), (t, ids) => sql`${raw(`${t}.${column}`)} = ANY(${ids}::bigint[])`);
const ofOffering = (condition: string) => (t: string, value: unknown) =>
  sql`
    EXISTS (SELECT FROM offering_type o WHERE o.provider_id = ${raw(t)}.provider_id
      AND o.id = ${raw(t)}.offering_type_id AND ${raw(condition)} ${value})`;

export const eventSorts = {
  start: { by: (t: string) => raw(`${t}.starts_at`) },
  end: { by: (t: string) => raw(`${t}.ends_at`) },
} satisfies Record<string, SortKey>;

/** Conditions on the row of an event, for all lists of events. */
export const eventFilters = {
  ids: any('id'),
  venues: filter(
    listOf(id()).describe('Events at these venues, or with places online there.'),
    (t, ids) => sql`(${raw(t)}.venue_id = ANY(${ids}::bigint[]) OR ${raw(t)}.online_venue_id = ANY(${ids}::bigint[]))`,
  ),
  offering_types: any('offering_type_id'),
  series: any('series_id'),
  category: filter(listOf(id()), (t, ids) => sql`${categoryOf(t)} = ANY(${ids}::bigint[])`),
  instructors: filter(
    instructorIds,
    (t) =>
      sql`${raw(t)}.id IN (SELECT ei.event_id FROM event_instructor ei
        JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
        WHERE ei.provider_id = current_provider_id()
          AND (i.id = ANY(${askedInstructors}::bigint[])
            OR (${asksMe}::boolean AND i.staff_id = ${viewingStaff}::bigint)))`,
  ),
  has_instructor: filter(
    boolean().describe('Leaves out room rentals.'),
    (t, wanted) =>
      sql`${wanted}::boolean = EXISTS (SELECT FROM event_instructor ei
        WHERE ei.provider_id = ${raw(t)}.provider_id AND ei.event_id = ${raw(t)}.id)
        AND EXISTS (SELECT FROM offering_type o WHERE o.provider_id = ${raw(t)}.provider_id
          AND o.id = ${raw(t)}.offering_type_id AND o.schedule_type <> 'room_rental')`,
  ),
  status: filter(listOf(oneOf(EVENT_STATUSES)), (t, statuses) => sql`${raw(t)}.status = ANY(${statuses}::text[])`),
  starts_at_gte: instantBound('starts_at', '>=', 'starts_at_gte'),
  starts_at_lte: instantBound('starts_at', '<=', 'starts_at_lte'),
  start_gte: instantBound('starts_at', '>=', 'start_gte', 'Deprecated. Use starts_at_gte.'),
  start_lte: instantBound('starts_at', '<=', 'start_lte', 'Deprecated. Use starts_at_lte.'),
  ends_at_gte: instantBound('ends_at', '>=', 'ends_at_gte'),
  ends_at_lte: instantBound('ends_at', '<=', 'ends_at_lte'),
  local_starts_at_gte: bound('local_starts_at', '>=', wallTime(), 'timestamp'),
  local_starts_at_lte: bound('local_starts_at', '<=', wallTime(), 'timestamp'),
  min_allowed_age: filter(
    integer({ min: 0 }).describe('The minimum age is at least this.'),
    ofOffering('o.min_allowed_age >='),
  ),
  max_allowed_age: filter(
    integer({ min: 0 }).describe('The maximum age is at most this.'),
    ofOffering('o.max_allowed_age <='),
  ),
  for_age: filter(
    integer({ min: 0, max: 150 }).describe('For people of this age.'),
    (t, age) =>
      sql`
        EXISTS (SELECT FROM offering_type o WHERE o.provider_id = ${raw(t)}.provider_id
          AND o.id = ${raw(t)}.offering_type_id
      AND ${age}::integer BETWEEN coalesce(o.min_allowed_age, 0) AND coalesce(o.max_allowed_age, 150))`,
  ),
  occupancy_status: filter(
    listOf(oneOf(OCCUPANCY)),
    (t, wanted) =>
      sql`
        (('full' = ANY(${wanted}::text[]) AND ${full(t)})
          OR ('not_full' = ANY(${wanted}::text[]) AND NOT ${full(t)})
      OR ('has_registrations' = ANY(${wanted}::text[]) AND ${both(t, 'attending')} > 0)
      OR ('empty' = ANY(${wanted}::text[]) AND ${both(t, 'attending')} = 0)
      OR ('has_waitlist' = ANY(${wanted}::text[]) AND ${both(t, 'waiting')} > 0))`,
  ),
  registration_timelines: filter(
    listOf(id()),
    (t, ids) =>
      sql`EXISTS (SELECT FROM event_registration_timeline l
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.event_id = ${raw(t)}.id
          AND l.registration_timeline_id = ANY(${ids}::bigint[]))`,
  ),
  name_contains: contains('name_contains'),
  external_id: filter(text({ max: 50 }), (t, value) => sql`${raw(t)}.external_id = ${value}`),
  active_customer: { field: id().optional().describe('Customer whose active_registration_status is returned.') },
  active_place: { field: activePlace },
} satisfies Record<string, Filter>;

export const findEvents = [
  ...listAndGet(event, {
    path: '/events',
    summary: 'List events',
    get: {
      summary: 'Get an event',
      query: {
        active_customer: id().optional().describe('Customer whose active_registration_status is returned.'),
        active_place: activePlace,
      },
    },
    who: whoSeesEvents,
    pageSize: 250,
    sort: eventSorts,
    defaultSort: 'start',
    filters: eventFilters,
  }),
];
