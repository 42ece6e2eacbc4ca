/** Bookable appointments and rooms for tests. */
import assert from 'node:assert/strict';
import { newInstructor, newOffering, newVenue, row } from '../schedule-world.ts';
import { newSchedule } from './hours-world.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { wallAt, addDays } from '../../kernel/base/values/zone.ts';
import type { World } from '../world.ts';

export interface Practice {
  readonly venue: number;
  readonly offering: number;
  readonly instructors: readonly number[];
  /** a day with working hours and no events, a few days ahead */
  readonly date: string;
}

export const newRoom = (world: World, venue: number, over: Record<string, unknown> = {}) =>
  row(world, 'venue_room', { venue_id: venue, name: `Room ${Math.random().toString(36).slice(2, 8)}`, ...over });

export const teach = (world: World, offering: number, instructor: number): Promise<number> =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id)
        VALUES (${world.harbour}, ${offering}, ${instructor})`,
    ),
  );

/** Creates a one-hour appointment with instructors who are available from 9 to 17 every day. */
export async function newPractice(
  world: World,
  {
    instructors: n = 1,
    hours = '09:00-17:00',
    zone = 'America/Toronto',
    ...over
  }: { instructors?: number; hours?: string; zone?: string } & Record<string, unknown> = {},
): Promise<Practice> {
  const venue = await newVenue(world, { timezone: zone });
  const offering = await newOffering(world, {
    name: 'Massage',
    schedule_type: 'appointment',
    slot_duration: 60,
    slot_increments: 60,
    ...over,
  });
  const instructors: number[] = [];
  for (let i = 0; i < n; i++) {
    const { instructor } = await newInstructor(world);
    await teach(world, offering, instructor);
    await newSchedule(world, { instructor, venue, daily: hours });
    instructors.push(instructor);
  }
  return { venue, offering, instructors, date: addDays(wallAt(world.now, zone).date, 3) };
}

export interface ShownSlot {
  readonly id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly local_starts_at: string;
  readonly local_ends_at: string;
  readonly instructors: readonly number[];
  readonly venue: number;
  readonly venue_room: number | null;
  readonly [name: string]: any;
}

/** Returns the available times of one or more days. */
export async function slotsOf(
  world: World,
  { offering, date }: Pick<Practice, 'offering' | 'date'>,
  query: Record<string, string | number> = {},
  as: string | undefined = world.machine,
): Promise<ShownSlot[]> {
  const asked = new URLSearchParams({ offering_type: `${offering}`, from: date, to: date, ...query } as never);
  const found = await world.get(`/slots?${asked}`, { as });
  assert.equal(found.status, 200, found.text);
  return found.body.results;
}

export const timesOf = (slots: readonly ShownSlot[]): string[] => slots.map((s) => s.local_starts_at.slice(11, 16));

export const bookSlot = (world: World, slot: string, customer: number, as = world.machine, body: object = {}) =>
  world.post(`/slots/${slot}/register`, { as, body: { customer, ...body } });
