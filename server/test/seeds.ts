/**
 * One visible object of each resource, for tests over all declarations. Each area defines those of its resources in
 * `test/seeds.ts`: with values for all relations, at the requested business, and new with every call. A seed creates
 * what it needs before it opens its own transaction: seeds that hold one while they wait for another would use up the
 * connections.
 */
import { randomUUID } from 'node:crypto';
import { ofAreas } from './of-areas.ts';
import type { World } from './world.ts';

/** A function that creates an object and returns its id. */
export type Seed = (world: World, providerId: number) => Promise<number>;

/** Seeds by the name of the resource. */
export type Seeds = Readonly<Record<string, Seed>>;

let all: Promise<Seeds> | undefined;

/** Loaded on first use, because the files of the areas import this one. */
export const allSeeds = (): Promise<Seeds> => (all ??= ofAreas<Seed>('seeds.ts', 'SEEDS'));

/** Creates an object of this resource at this business and returns its id. */
export async function seed(world: World, resource: string, providerId = world.harbour): Promise<number> {
  const make = (await allSeeds())[resource];
  if (!make) throw new Error(`add a seed for "${resource}" to test/seeds.ts of its area`);
  return make(world, providerId);
}

/** Returns a unique name. */
export const name = (kind: string): string => `${kind} ${randomUUID().slice(0, 8)}`;

/** Returns a unique slug of letters only. */
export const slug = (): string =>
  [...randomUUID().replaceAll('-', '')].map((c) => String.fromCharCode(97 + parseInt(c, 16))).join('');
