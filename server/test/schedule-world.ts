/** Venues, offerings and events for tests of the schedule. */
import assert from 'node:assert/strict';
import { raw, sql, join } from '../kernel/base/db/sql.ts';
import { inTurns } from './storm.ts';
import type { World } from './world.ts';

/** Inserts a row of a business with the given values and returns its id. */
export function row(
  world: World,
  table: string,
  values: Record<string, unknown>,
  providerId = world.harbour,
): Promise<number> {
  const names = raw(['provider_id', ...Object.keys(values)].join(', '));
  return world.work(providerId, async ({ tx }) => {
    const made = await tx.one<{ id: number }>(
      sql`INSERT INTO ${raw(table)} (${names})
        VALUES (${join([sql`${providerId}`, ...Object.values(values).map((v) => sql`${v}`)], ', ')}) RETURNING id`,
    );
    return made!.id;
  });
}

export const newVenue = (world: World, over: Record<string, unknown> = {}, providerId = world.harbour) =>
  row(
    world,
    'venue',
    { name: 'Pier 4', timezone: providerId === world.harbour ? 'America/Toronto' : 'Europe/London', ...over },
    providerId,
  );

export const newOffering = (world: World, over: Record<string, unknown> = {}, providerId = world.harbour) =>
  row(world, 'offering_type', { name: 'Rowing', ...over }, providerId);

export async function newInstructor(
  world: World,
  providerId = world.harbour,
): Promise<{ instructor: number; staff: number }> {
  const n = Math.random().toString(36).slice(2);
  const staff = await row(world, 'staff', { first_name: 'Kim', last_name: n, email: `${n}@example.com` }, providerId);
  return { staff, instructor: await row(world, 'instructor', { staff_id: staff, name: `Kim ${n}` }, providerId) };
}

export interface Place {
  venue: number;
  offering: number;
}

export const newPlace = async (world: World): Promise<Place> => ({
  venue: await newVenue(world),
  offering: await newOffering(world),
});

const HOUR = 3_600_000;

/** Formats an instant for a request body. */
export const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** Creates an event through the interface: one hour long, tomorrow, with four places; `in` is hours from now. */
export async function newEvent(
  world: World,
  place: Place,
  { in: hours = 24, as = world.machine, ...over }: Record<string, any> = {},
): Promise<any> {
  const start = world.now + hours * HOUR;
  const body = {
    name: 'Rowing',
    venue: place.venue,
    offering_type: place.offering,
    starts_at: iso(start),
    ends_at: iso(start + HOUR),
    max_occupancy: 4,
    ...over,
  };
  const made = await world.post('/events', { as, body });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

export const newCustomers = (world: World, n: number): Promise<number[]> => inTurns(n, () => world.newCustomer());

export const book = (world: World, event: number, customer: number, as = world.machine) =>
  world.post(`/events/${event}/register`, { as, body: { customer } });

/** Returns an event's counters in the database, and the rows that they count. */
export async function seats(
  world: World,
  event: number,
): Promise<{ attending: number; held: number; waiting: number; booked: number }> {
  const found = await world.work(world.harbour, ({ tx }) =>
    tx.one(sql`SELECT attending_count AS attending, held_count AS held, waiting_count AS waiting,
      (SELECT count(*) FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id
        AND a.status IN ('registered', 'attended', 'no_show')) AS booked
      FROM event e WHERE provider_id = ${world.harbour} AND id = ${event}`),
  );
  return found as any;
}

/** Returns the feed items of the business since an id, in order. */
export async function feedSince(world: World, id: number): Promise<{ id: number; kind: string; payload: any }[]> {
  return world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT id, kind, payload FROM feed_item WHERE provider_id = ${world.harbour} AND id > ${id} ORDER BY id`,
    ),
  );
}

export async function feedEnd(world: World): Promise<number> {
  const [last] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ id: number }>(
      sql`SELECT coalesce(max(id), 0)::bigint AS id FROM feed_item WHERE provider_id = ${world.harbour}`,
    ),
  );
  return last.id;
}
