/** Reads the hours that apply to an offering type, for everything that is booked in them. */
import { addDays } from '../../../kernel/base/values/zone.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { together, type TimeRange } from './rules/ranges.ts';
import type { VenueBlocked } from './rules/open-times.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Hours {
  /** id of the availability schedule */
  readonly schedule: number;
  readonly kind: 'instructor' | 'room';
  /** of the kind `instructor` */
  readonly instructor: number | null;
  /** null: all venues */
  readonly venue: number | null;
  /** of the venue, otherwise of the business */
  readonly zone: string;
  /** seven days, Monday first */
  readonly weekly: readonly (readonly TimeRange[])[];
  /**
   * by date, replacing the weekly hours of that day; an empty list: closed. Includes days on which the schedule is not
   * valid
   */
  readonly overrides: ReadonlyMap<string, readonly TimeRange[]>;
  /** dates on which the schedule is not valid */
  readonly invalid: ReadonlySet<string>;
  /** by date: those of the instructor and of the venue, merged */
  readonly blocked: ReadonlyMap<string, readonly TimeRange[]>;
  /** by venue: the times blocked there, for schedules that apply at every venue; `planAt` uses them */
  readonly elsewhere: ReadonlyMap<number, VenueBlocked>;
  /** rooms that are used for the offering type; empty: any room of the venue, or no room is needed */
  readonly rooms: readonly number[];
}

/** The request for hours. Dates are days in the zone of each schedule; `to` is included. */
export interface Asked {
  readonly offeringType: number;
  readonly instructors?: readonly number[];
  readonly venues?: readonly number[];
  readonly rooms?: readonly number[];
  readonly from: string;
  readonly to: string;
}

interface Row {
  id: number;
  schedule_type: 'IU' | 'RRTL';
  instructor_id: number | null;
  venue_id: number | null;
  zone: string;
  weekly: TimeRange[][];
  overrides: Record<string, TimeRange[]>;
  blocked: Record<string, TimeRange[][]>;
  elsewhere: { venue: number; zone: string; date: string; times: TimeRange[] }[];
  rooms: number[];
  invalid: string[];
}

/**
 * Returns the schedules for an offering type: those that name it, and those that name none, which belong to an
 * instructor who teaches it or are for rentals, unless another schedule of the same instructor, or of any rental, names
 * it. Room rentals have the hours of rooms, all others those of instructors. Archived instructors, venues, rooms and
 * offering types are left out. Hours of a day may extend into the next: overrides and blocked times are read from the
 * day before `from` on, so `openTimes` covers all of `from`.
 * Runs one statement, whatever the request.
 */
export async function readHours(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  { offeringType, instructors, venues, rooms, from, to }: Asked,
): Promise<Hours[]> {
  const first = addDays(from, -1);
  const found = await tx.rows<Row>(sql`SELECT s.id, s.schedule_type, s.instructor_id, s.venue_id,
      coalesce(v.timezone, p.timezone) AS zone,
      jsonb_build_array(s.default_monday, s.default_tuesday, s.default_wednesday, s.default_thursday, s.default_friday,
        s.default_saturday, s.default_sunday) AS weekly,
      (SELECT coalesce(jsonb_object_agg(o.date, o.availability), '{}') FROM availability_override o
        WHERE o.provider_id = s.provider_id AND o.availability_schedule_id = s.id
          AND o.date BETWEEN ${first}::date AND ${to}::date) AS overrides,
      (SELECT coalesce(jsonb_object_agg(b.date, b.times), '{}') FROM (
        SELECT b.date, jsonb_agg(b.blocked_times) AS times FROM blocked_time b
        WHERE b.provider_id = s.provider_id AND (b.instructor_id = s.instructor_id OR b.venue_id = s.venue_id)
          AND b.date BETWEEN ${first}::date AND ${to}::date
          AND (b.applicable_to IS NULL OR b.applicable_to = s.schedule_type)
        GROUP BY b.date) b) AS blocked,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('venue', b.venue_id, 'zone', place.timezone, 'date', b.date,
        'times', b.blocked_times)
          ORDER BY b.date, b.id), '[]')
        FROM blocked_time b JOIN venue place ON place.provider_id = b.provider_id AND place.id = b.venue_id
          AND NOT place.archived
        WHERE s.venue_id IS NULL AND b.provider_id = s.provider_id
          AND b.date BETWEEN ${first}::date - 1 AND ${to}::date + 1
          AND (${venues ?? null}::bigint[] IS NULL OR b.venue_id = ANY(${venues ?? null}::bigint[]))
          AND (b.applicable_to IS NULL OR b.applicable_to = s.schedule_type)) AS elsewhere,
      coalesce(named.rooms, '[]') AS rooms,
      (SELECT coalesce(jsonb_agg(day::date), '[]')
        FROM generate_series(${first}::date, ${to}::date, interval '1 day') day
        WHERE day::date < s.valid_from OR day::date > s.valid_until) AS invalid
    FROM availability_schedule s
    JOIN provider p ON p.provider_id = s.provider_id
    JOIN offering_type t ON t.provider_id = s.provider_id AND t.id = ${offeringType} AND t.status = 'active'
    LEFT JOIN instructor i ON i.provider_id = s.provider_id AND i.id = s.instructor_id
    LEFT JOIN venue v ON v.provider_id = s.provider_id AND v.id = s.venue_id
    LEFT JOIN LATERAL (SELECT l.id, count(lr.venue_room_id) AS room_count,
        jsonb_agg(r.id ORDER BY r.id) FILTER (WHERE r.id IS NOT NULL
          AND (${rooms ?? null}::bigint[] IS NULL OR r.id = ANY(${rooms ?? null}::bigint[]))) AS rooms
      FROM availability_schedule_offering_type l
      LEFT JOIN availability_schedule_offering_type_room lr ON lr.provider_id = l.provider_id
        AND lr.availability_schedule_offering_type_id = l.id
      LEFT JOIN venue_room r ON r.provider_id = lr.provider_id AND r.id = lr.venue_room_id AND r.status = 'active'
        AND (s.venue_id IS NULL OR r.venue_id = s.venue_id)
      WHERE l.provider_id = s.provider_id AND l.availability_schedule_id = s.id AND l.offering_type_id = t.id
      GROUP BY l.id) named ON true
    WHERE s.provider_id = ${providerId} AND (s.schedule_type = 'RRTL') = (t.schedule_type = 'room_rental')
      AND i.archived IS NOT TRUE AND v.archived IS NOT TRUE
      AND (${instructors ?? null}::bigint[] IS NULL OR s.instructor_id = ANY(${instructors ?? null}::bigint[]))
      AND (${venues ?? null}::bigint[] IS NULL OR s.venue_id IS NULL OR s.venue_id = ANY(${venues ?? null}::bigint[]))
      AND (named.room_count = 0 OR named.rooms IS NOT NULL OR named.id IS NULL)
      AND (named.id IS NOT NULL OR (
        NOT EXISTS (SELECT FROM availability_schedule_offering_type own
          WHERE own.provider_id = s.provider_id AND own.availability_schedule_id = s.id)
        AND NOT EXISTS (SELECT FROM availability_schedule_offering_type other
          JOIN availability_schedule o ON o.provider_id = other.provider_id AND o.id = other.availability_schedule_id
          WHERE other.provider_id = s.provider_id AND other.offering_type_id = t.id
            AND o.schedule_type = s.schedule_type
            AND o.instructor_id IS NOT DISTINCT FROM s.instructor_id)
        AND (s.schedule_type = 'RRTL' OR EXISTS (SELECT FROM offering_type_instructor teaches
          WHERE teaches.provider_id = s.provider_id AND teaches.offering_type_id = t.id
            AND teaches.instructor_id = s.instructor_id))))
    ORDER BY s.id`);
  return found.map(hoursOf);
}

function hoursOf({ id, schedule_type, instructor_id, venue_id, zone, weekly, rooms, ...row }: Row): Hours {
  return {
    schedule: id,
    kind: schedule_type === 'RRTL' ? 'room' : 'instructor',
    instructor: instructor_id,
    venue: venue_id,
    zone,
    weekly,
    overrides: new Map([
      ...Object.entries(row.overrides),
      ...row.invalid.map((date): [string, TimeRange[]] => [date, []]),
    ]),
    invalid: new Set(row.invalid),
    blocked: new Map(Object.entries(row.blocked).map(([date, times]) => [date, together(times.flat())])),
    elsewhere: new Map(
      [...Map.groupBy(row.elsewhere, (one) => one.venue)].map(([venue, all]) => [
        venue,
        {
          zone: all[0].zone,
          blocked: new Map(
            [...Map.groupBy(all, (one) => one.date)].map(([date, same]) => [
              date,
              together(same.flatMap(({ times }) => times)),
            ]),
          ),
        },
      ]),
    ),
    rooms,
  };
}
