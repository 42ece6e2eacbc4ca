/** Working hours of instructors and rooms for tests. */
import { json, sql } from '../../kernel/base/db/sql.ts';
import { row } from '../schedule-world.ts';
import type { World } from '../world.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Ranges = readonly { start: string; end: string }[];

/** Parses `09:00–12:00, 14:00–18:00`; a dash or an empty string means none. */
export const rangesOf = (text: string): { start: string; end: string }[] =>
  ['', '-', '–'].includes(text.trim())
    ? []
    : text.split(',').map((range) => {
        const [start, end] = range.trim().split(/[-–]/);
        return { start, end };
      });

/** Formats ranges as `09:00–12:00, 14:00–18:00`. */
export const textOf = (ranges: Ranges): string => ranges.map(({ start, end }) => `${start}–${end}`).join(', ');

interface NewSchedule {
  /** instructor of the schedule; undefined for rooms */
  instructor?: number;
  venue?: number | null;
  /** hours of every day, unless a day has its own */
  daily?: string;
  days?: Partial<Record<(typeof DAYS)[number], string>>;
  validFrom?: string;
  validUntil?: string;
  /** offering types with their rooms */
  offeringTypes?: Readonly<Record<number, readonly number[]>>;
  overrides?: Readonly<Record<string, string>>;
}

/** Inserts a schedule and returns its id. */
export async function newSchedule(
  world: World,
  {
    instructor,
    venue = null,
    daily = '',
    days = {},
    validFrom,
    validUntil,
    offeringTypes = {},
    overrides = {},
  }: NewSchedule,
  providerId = world.harbour,
): Promise<number> {
  const weekly = DAYS.map((day) => [`default_${day}`, json(rangesOf(days[day] ?? daily))]);
  const id = await row(
    world,
    'availability_schedule',
    {
      name: 'Usual hours',
      schedule_type: instructor === undefined ? 'RRTL' : 'IU',
      instructor_id: instructor ?? null,
      venue_id: venue,
      valid_from: validFrom ?? null,
      valid_until: validUntil ?? null,
      ...Object.fromEntries(weekly),
    },
    providerId,
  );
  for (const [type, rooms] of Object.entries(offeringTypes)) {
    const link = await row(
      world,
      'availability_schedule_offering_type',
      { availability_schedule_id: id, offering_type_id: Number(type) },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(sql`INSERT INTO availability_schedule_offering_type_room (provider_id,
        availability_schedule_offering_type_id, venue_room_id)
        SELECT ${providerId}, ${link}, unnest(${rooms}::bigint[])`),
    );
  }
  await world.work(providerId, ({ tx }) =>
    tx.run(sql`INSERT INTO availability_override (provider_id, availability_schedule_id, date, availability)
      SELECT ${providerId}, ${id}, date, hours FROM unnest(${Object.keys(overrides)}::date[],
        ${Object.values(overrides).map((text) => json(rangesOf(text)))}::jsonb[]) AS o (date, hours)`),
  );
  return id;
}

/** Blocks time of an instructor or a venue on a day. */
export const block = (
  world: World,
  of: { instructor: number } | { venue: number },
  date: string,
  times: string,
  applicableTo: 'IU' | 'RRTL' | 'GC' | null = null,
  providerId = world.harbour,
): Promise<number> =>
  row(
    world,
    'blocked_time',
    {
      instructor_id: 'instructor' in of ? of.instructor : null,
      venue_id: 'venue' in of ? of.venue : null,
      date,
      applicable_to: applicableTo,
      blocked_times: json(rangesOf(times)),
    },
    providerId,
  );
