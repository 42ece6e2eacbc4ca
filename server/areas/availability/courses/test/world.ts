/** Courses with their dates, for tests. Everything goes through the API. */
import assert from 'node:assert/strict';
import { newOffering, newVenue, iso } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

type Body = Record<string, unknown>;

export interface Run {
  readonly course: number;
  readonly series: number;
  readonly offering: number;
  readonly venue: number;
  /** ids of its sessions, soonest first */
  readonly sessions: readonly number[];
}

/** Sends the request with a machine token, and expects success. */
export async function done(world: World, method: string, path: string, body?: Body): Promise<any> {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** Returns a date for each session: an hour long, a week apart, the first in a day. */
export const weekly = (world: World, n: number, inHours = 24): { starts_at: string; ends_at: string }[] =>
  Array.from({ length: n }, (_, i) => {
    const start = world.now + inHours * HOUR + i * WEEK;
    return { starts_at: iso(start), ends_at: iso(start + HOUR) };
  });

export interface Wanted extends Body {
  /** number of sessions */
  readonly sessions?: number;
  readonly of?: Pick<Run, 'course' | 'offering' | 'venue'>;
  readonly inHours?: number;
  readonly published?: boolean;
}

/** Creates a published course with one series: by default, eight sessions for 80.00 and five places. */
export async function newRun(
  world: World,
  { sessions = 8, of, inHours, published = true, ...over }: Wanted = {},
): Promise<Run> {
  const offering = of?.offering ?? (await newOffering(world, { name: 'Pottery', schedule_type: 'course' }));
  const venue = of?.venue ?? (await newVenue(world));
  const course = of?.course ?? (await done(world, 'POST', '/courses', { offering_type: offering, published })).id;
  const series = await done(world, 'POST', `/courses/${course}/date_series`, {
    name: 'Autumn',
    venue,
    price: '80.00',
    max_occupancy: 5,
    dates: weekly(world, sessions, inHours),
    ...over,
  });
  const { results } = await done(world, 'GET', `/course_sessions?course_date_series=${series.id}&sort=start`);
  return { course, series: series.id, offering, venue, sessions: results.map((one: any) => one.id) };
}

/** Enrolls a customer comped, so that nobody has to pay. */
export const enrollFree = (world: World, series: number, customer: number): Promise<any> =>
  done(world, 'POST', `/course_date_series/${series}/enroll`, { customer, comped: true });
