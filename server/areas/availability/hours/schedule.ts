import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { boolean, date, embedded, id, idsOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { timeRanges } from './time-ranges.ts';
import { viewingStaff, viewingVenues } from '../../../kernel/work/access/viewer.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';

export const SCHEDULE_TYPES = ['IU', 'RRTL'] as const;

/** Monday first. */
export const WEEK = [
  'default_monday',
  'default_tuesday',
  'default_wednesday',
  'default_thursday',
  'default_friday',
  'default_saturday',
  'default_sunday',
] as const;

/** The schedule under alias `t` belongs to the instructor who views it. */
const isMine = (
  t: string,
): Sql => sql`EXISTS (SELECT FROM instructor mine WHERE mine.provider_id = ${raw(t)}.provider_id
  AND mine.id = ${raw(t)}.instructor_id AND mine.staff_id = ${viewingStaff}::bigint)`;

/** The schedule is at one of the staff member's venues, or is their own. */
const withinReach = (t: string): Sql => sql`(${raw(t)}.venue_id = ANY(${viewingVenues}::bigint[]) OR ${isMine(t)})`;

const named = { table: 'availability_schedule_offering_type', parent: 'availability_schedule_id' };

const covering = {
  table: `(SELECT DISTINCT named.provider_id, named.availability_schedule_id, mc.membership_id
    FROM availability_schedule_offering_type named
    JOIN membership_coverage mc ON mc.provider_id = named.provider_id
      AND mc.offering_type_id = named.offering_type_id)`,
  parent: 'availability_schedule_id',
  child: 'membership_id',
};

const namesNothing = (t: string): Sql =>
  raw(`NOT EXISTS (SELECT FROM availability_schedule_offering_type named
  WHERE named.provider_id = ${t}.provider_id AND named.availability_schedule_id = ${t}.id)`);

const hoursColumns = (t: string): Sql[] => [
  raw(WEEK.map((day) => `${t}.${day} <> '[]'`).join(' OR ')),
  raw(`${t}.valid_until`),
  raw(`(SELECT max(o.date) FROM availability_override o WHERE o.provider_id = ${t}.provider_id
    AND o.availability_schedule_id = ${t}.id AND o.availability <> '[]')`),
];

/** Weekly hours count as long as the schedule is valid, overrides on their dates. */
function hasHours([weekly, until, lastOverride]: (string | null)[], today: string): boolean {
  if (until !== null && until < today) return false;
  return weekly === 't' || (lastOverride !== null && lastOverride >= today);
}

export const availabilitySchedule = resource('availability_schedule', {
  description:
    'When an instructor can be booked, or when rooms can be rented: weekly hours, and other hours on some dates.',
  object: null,
  fields: {
    id: id(),
    schedule_type: oneOf(SCHEDULE_TYPES).describe(
      'Owner of the hours: `IU` an instructor, `RRTL` rooms that can be rented. Set when the schedule is created.',
    ),
    name: text({ max: 32 }),
    venue: ref('venue')
      .nullable()
      .describe('Null means every venue. The times are then in the time zone of the business.'),
    instructor: ref('instructor'),
    default_monday: timeRanges().describe(
      'Hours of every Monday, in the time zone of the venue. They may end on the next day.',
    ),
    default_tuesday: timeRanges(),
    default_wednesday: timeRanges(),
    default_thursday: timeRanges(),
    default_friday: timeRanges(),
    default_saturday: timeRanges(),
    default_sunday: timeRanges(),
    valid_from: date().nullable().describe('The first day on which the schedule counts. Null means since ever.'),
    valid_until: date().nullable().describe('The last day on which the schedule counts. Null means without an end.'),
    is_default: boolean()
      .from(namesNothing)
      .describe(
        'It names no offering types, and so is for everything that the instructor teaches and no other schedule of theirs names.',
      ),
    has_availability: boolean()
      .computed(hoursColumns, (row, { now, zone }) => hasHours(row, wallAt(now, zone).date))
      .describe('Whether it has any hours from today on.'),
    offering_types: idsOf('offering_type', { ...named, child: 'offering_type_id' })
      .deferred()
      .describe('Offering types that it applies to. Empty means everything that no other schedule names.'),
    availability_schedule_offering_types: embedded('availability_schedule_offering_type', {
      column: 'availability_schedule_id',
    })
      .deferred()
      .describe('Offering types that it applies to, with the rooms that are used.'),
    memberships: embedded('membership', covering)
      .deferred()
      .describe('Memberships that cover any of the offering types that it names.'),
  },
  varieties: {
    by: 'schedule_type',
    of: {
      IU: { name: 'InstructorAvailabilitySchedule', lacks: [] },
      RRTL: { name: 'RoomRentalAvailabilitySchedule', lacks: ['instructor', 'is_default', 'has_availability'] },
    },
  },
  visible: { provider: true, customer: false, unregistered: false },
  place: { within: withinReach, elsewhere: 'hidden' },
});

const roomLink = {
  table: 'availability_schedule_offering_type_room',
  parent: 'availability_schedule_offering_type_id',
  child: 'venue_room_id',
};

export const scheduleOfferingType = resource('availability_schedule_offering_type', {
  description: 'An offering type that an availability schedule is for, and the rooms that are used for it.',
  object: null,
  fields: {
    id: id(),
    availability_schedule: ref('availability_schedule'),
    offering_type: ref('offering_type'),
    venue_rooms: idsOf('venue_room', roomLink).describe('Empty means any room of the venue, or that none is needed.'),
  },
  visible: { provider: true, customer: false, unregistered: false },
  place: {
    within: (t) => sql`EXISTS (SELECT FROM availability_schedule s WHERE s.provider_id = ${raw(t)}.provider_id
      AND s.id = ${raw(t)}.availability_schedule_id AND ${withinReach('s')})`,
    elsewhere: 'hidden',
  },
});
