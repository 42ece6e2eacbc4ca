/** A weekly class, and customers who reserve it every week. */
import assert from 'node:assert/strict';
import { addDays, weekdayOf } from '../../../../kernel/base/values/date.ts';
import { newPlace, type Place } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { WEEKDAYS } from '../recurring-reservation.ts';
import type { World } from '../../../../test/world.ts';

const ZONE = 'America/Toronto';

export interface Weekly {
  readonly place: Place;
  /** id of the first event */
  readonly first: number;
  readonly series: number;
  readonly weekday: (typeof WEEKDAYS)[number];
  /** of all events, in order */
  readonly dates: readonly string[];
}

/** Returns a day of the business, a number of days from today. */
export const dayIn = (world: World, days: number): string => addDays(wallAt(world.now, ZONE).date, days);

/** Creates a weekly class at 19:00; the first is in two days. */
export async function newWeekly(
  world: World,
  { weeks = 4, place, ...over }: { weeks?: number; place?: Place } & Record<string, unknown> = {},
): Promise<Weekly> {
  const where = place ?? (await newPlace(world));
  const date = dayIn(world, 2);
  const made = await world.post('/events', {
    as: world.machine,
    body: {
      name: 'Rowing',
      venue: where.venue,
      offering_type: where.offering,
      starts_at: `${date}T19:00`,
      ends_at: `${date}T20:00`,
      max_occupancy: 4,
      recurrence: { rrule: `FREQ=WEEKLY;COUNT=${weeks}` },
      ...over,
    },
  });
  assert.equal(made.status, 201, made.text);
  return {
    place: where,
    first: made.body.id,
    series: made.body.series,
    weekday: WEEKDAYS[weekdayOf(date) - 1],
    dates: Array.from({ length: weeks }, (_, n) => addDays(date, 7 * n)),
  };
}

export const reserve = (world: World, body: Record<string, unknown>, as = world.machine, query = '') =>
  world.post(`/recurring_reservations${query}`, { as, body });

/** Returns each date with its outcome. */
export async function datesOf(world: World, reservation: number, as = world.machine): Promise<string[]> {
  const { body } = await world.get(`/recurring_reservations/${reservation}/dates`, { as });
  return body.results.map((one: any) => [one.date, one.outcome, ...one.reasons].join(' '));
}

/** Returns dates on which the customer is booked for the offering type, from the attendances. */
export async function bookedDates(world: World, { place }: Weekly, customer: number): Promise<string[]> {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{
      date: string;
    }>(sql`SELECT e.local_starts_at::date AS date FROM attendance a
      JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      WHERE a.provider_id = ${world.harbour} AND a.customer_id = ${customer} AND a.status = 'registered'
        AND e.status = 'active'
        AND e.offering_type_id = ${place.offering} ORDER BY e.starts_at`),
  );
  return rows.map((row) => row.date);
}
