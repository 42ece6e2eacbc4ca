/**
 * A valid call of every write endpoint, made so that it changes something: the required state, and the request. Most of
 * it follows from the declaration. Where that is not enough, an area adds to it in its `test/calls.ts`.
 */
import { ofAreas } from '../of-areas.ts';
import { seed } from '../seeds.ts';
import { nameOf, pathWith, sampleBody, targetOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { World } from '../world.ts';

/** A call that changes something. */
export interface Call {
  /** id in the path */
  readonly id?: number;
  /** values of the other path parameters */
  readonly params?: Record<string, string>;
  readonly body: Record<string, unknown>;
  /** id of the calling customer, if the caller is one */
  readonly customer?: number;
}

/** Calls by method and path. */
export type Calls = Readonly<Record<string, (world: World) => Promise<Call>>>;

export const CALLS: Calls = await ofAreas('calls.ts', 'CALLS');

/**
 * Writes that correctly change no row of the business, each with its reason; an area declares them next to its calls.
 */
export const CHANGES_NOTHING: Readonly<Record<string, string>> = await ofAreas('calls.ts', 'CHANGES_NOTHING');

/** Writes that are always refused, each with its reason; an area declares them next to its calls. */
export const ALWAYS_REFUSED: Readonly<Record<string, string>> = await ofAreas('calls.ts', 'ALWAYS_REFUSED');

/** Properties that can change, one of which every resource has. */
const NAMES = ['name', 'first_name', 'description'];

export async function callOf(world: World, endpoint: Declared): Promise<Call> {
  const special = CALLS[nameOf(endpoint)];
  if (special) return special(world);
  const target = targetOf(endpoint);
  const id = target ? await seed(world, target) : undefined;
  const name = NAMES.find((one) => one in (endpoint.body ?? {}));
  const body = await sampleBody(world, endpoint);
  const customer = target === 'customer' ? id : (body.customer as number | undefined);
  return { id, customer, body: { ...body, ...(endpoint.method === 'PATCH' && name && { [name]: 'Another' }) } };
}

export const pathOf = (endpoint: Declared, { id = 0, params = {} }: Call): string =>
  pathWith(
    { ...endpoint, path: endpoint.path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => params[name] ?? whole) },
    id,
  );
