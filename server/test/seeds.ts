/**
 * One visible object of each resource, for tests that go over everything that is declared. Each area has those of its
 * resources in `test/seeds.ts`: filled enough that its relations lead somewhere, of the business asked for, and new at
 * every call. A seed makes what it needs before it opens a transaction of its own: seeds that hold one while they wait
 * for another would use up the connections.
 */
import { randomUUID } from 'node:crypto';
import { ofAreas } from './of-areas.ts';
import type { World } from './world.ts';

/** Makes one and returns its id. */
export type Seed = (world: World, providerId: number) => Promise<number>;

/** By the name of the resource. */
export type Seeds = Readonly<Record<string, Seed>>;

let all: Promise<Seeds> | undefined;

/** Gathered when somebody first asks: the files of the areas import this one. */
export const allSeeds = (): Promise<Seeds> => (all ??= ofAreas<Seed>('seeds.ts', 'SEEDS'));

/** The id of a new object of this resource at this business. */
export async function seed(world: World, resource: string, providerId = world.harbour): Promise<number> {
  const make = (await allSeeds())[resource];
  if (!make) throw new Error(`add a seed for "${resource}" to test/seeds.ts of its area`);
  return make(world, providerId);
}

/** A name that nothing else has. */
export const name = (kind: string): string => `${kind} ${randomUUID().slice(0, 8)}`;

/** A slug that nothing else has, of letters alone. */
export const slug = (): string =>
  [...randomUUID().replaceAll('-', '')].map((c) => String.fromCharCode(97 + parseInt(c, 16))).join('');
