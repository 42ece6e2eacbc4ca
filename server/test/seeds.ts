/**
 * One visible object of each resource, for tests that go over everything that is declared. A new resource needs a line here:
 * filled enough that its relations lead somewhere, of the business asked for, and new at every call.
 */
import { randomUUID } from 'node:crypto';
import { insertRow } from '../kernel/db/row.ts';
import type { World } from './world.ts';

export type Seed = (world: World, providerId: number) => Promise<number>;

const name = (kind: string): string => `${kind} ${randomUUID().slice(0, 8)}`;

export const SEEDS: Record<string, Seed> = {
  provider: async (_world, providerId) => providerId,
  venue: (world, providerId) =>
    world.work(providerId, (work) =>
      insertRow(work, 'venue', { name: name('Hall'), timezone: 'America/Toronto', physical_address: { street: '1 Pier', city: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' } }),
    ),
  venue_room: async (world, providerId) => {
    const venue = await seed(world, 'venue', providerId);
    return world.work(providerId, (work) => insertRow(work, 'venue_room', { name: name('Room'), venue_id: venue }));
  },
  customer: async (world, providerId) => world.newCustomer({ date_of_birth: '1990-05-17', venue: await seed(world, 'venue', providerId) }, providerId),
};

/** The id of a new object of this resource at this business. */
export function seed(world: World, resource: string, providerId = world.harbour): Promise<number> {
  const make = SEEDS[resource];
  if (!make) throw new Error(`add a seed for "${resource}" to server/test/seeds.ts`);
  return make(world, providerId);
}
