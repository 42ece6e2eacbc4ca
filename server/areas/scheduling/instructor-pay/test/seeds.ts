import { calculateEnded, createRate, type NewRate } from '../index.ts';
import { iso, newOffering, newVenue, row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;

/** Creates a rate with a value in every property. */
const newRate = async (world: World, providerId: number): Promise<number> => {
  const [instructor, offering, venue] = [
    await seed(world, 'instructor', providerId),
    await seed(world, 'offering_type', providerId),
    await seed(world, 'venue', providerId),
  ];
  return world.work(providerId, (work) =>
    createRate(work, {
      ...RATE,
      name: name('Rate'),
      instructors: [instructor],
      offering_types: [offering],
      venues: [venue],
      ends_on: '2099-12-31',
    }),
  );
};

export const RATE = {
  name: 'Usual',
  type: 'per_session',
  base: '30.00',
  tiers: [{ lower_bound: 6, upper_bound: null, per_customer_amount: '2.50' }],
  minimum_pay: '20.00',
  maximum_pay: '90.00',
} as const satisfies NewRate;

export interface PastSession {
  readonly event: number;
  readonly instructor: number;
}

/** Creates a session that has ended, an hour ago by default, and is not calculated yet. */
export async function taught(
  world: World,
  providerId: number,
  instructor: number,
  { hours = 2, ...over }: Record<string, any> = {},
): Promise<PastSession> {
  const start = world.now - hours * HOUR;
  const event = await row(
    world,
    'event',
    {
      name: name('Rowing'),
      venue_id: over.venue_id ?? (await newVenue(world, {}, providerId)),
      offering_type_id: over.offering_type_id ?? (await newOffering(world, {}, providerId)),
      timezone: 'UTC',
      local_starts_at: iso(start).slice(0, 19),
      local_ends_at: iso(start + HOUR).slice(0, 19),
      starts_at: iso(start),
      ends_at: iso(start + HOUR),
      ...over,
    },
    providerId,
  );
  await world.work(providerId, ({ tx }) =>
    tx.run(
      sql`INSERT INTO event_instructor (provider_id, event_id, instructor_id)
        VALUES (${providerId}, ${event}, ${instructor})`,
    ),
  );
  return { event, instructor };
}

/** Creates pay for a session that has ended, by a rate of the instructor. */
async function paid(world: World, providerId: number): Promise<number> {
  const instructor = await seed(world, 'instructor', providerId);
  const { event } = await taught(world, providerId, instructor);
  await world.work(providerId, (work) =>
    createRate(work, { ...RATE, name: name('Rate'), instructors: [instructor], starts_on: '2020-01-01' }),
  );
  return world.work(providerId, async (work) => {
    // Changes of long ago are not part of a seed.
    await work.tx.run(
      sql`UPDATE instructor_pay_progress SET calculated_until = ${iso(world.now - 3 * HOUR)}
        WHERE provider_id = ${providerId}`,
    );
    await calculateEnded(work);
    const item = await work.tx.one<{ id: number }>(
      sql`SELECT id FROM instructor_pay_item WHERE provider_id = ${providerId} AND event_id = ${event}`,
    );
    return item!.id;
  });
}

/** Creates an approved period with one session. */
async function approved(world: World, providerId: number): Promise<number> {
  const item = await paid(world, providerId);
  const period = await row(
    world,
    'instructor_pay_period',
    {
      through: iso(world.now).slice(0, 10),
      sessions: 1,
      total_minor: 3000,
      approved_at: iso(world.now),
      created_at: iso(world.now),
      updated_at: iso(world.now),
    },
    providerId,
  );
  await world.work(providerId, ({ tx }) =>
    tx.run(
      sql`UPDATE instructor_pay_item SET instructor_pay_period_id = ${period}
        WHERE provider_id = ${providerId} AND id = ${item}`,
    ),
  );
  return period;
}

export const SEEDS: Seeds = {
  instructor_pay_rate: newRate,
  instructor_pay_item: async (world, providerId) => {
    const period = await approved(world, providerId);
    const found = await world.work(providerId, ({ tx }) =>
      tx.one<{ id: number }>(
        sql`SELECT id FROM instructor_pay_item WHERE provider_id = ${providerId}
          AND instructor_pay_period_id = ${period}`,
      ),
    );
    return found!.id;
  },
  instructor_pay_period: approved,
};

export const openPay = paid;
