/** Shared parts of the tests with hostile input: every endpoint with a valid call, to be distorted. */
import assert from 'node:assert/strict';
import { seed } from '../seeds.ts';
import { anyId, callerOf, Complaints, forAll, nameOf, once, pathWith, sampleBody, targetOf } from './cases.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { inTurns } from '../rare.ts';
import { isWrite } from '../../kernel/api/contract.ts';
import type { ApiAnswer, World } from '../world.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { JsonSchema } from '../../kernel/base/fields/field.ts';

/** An endpoint with a valid call. Every JSON response is also checked against the document. */
export interface Aim {
  readonly endpoint: Declared;
  readonly path: string;
  readonly as: string | undefined;
  readonly body: Record<string, unknown>;
}

export async function aims(world: World, of: (endpoint: Declared) => boolean): Promise<Aim[]> {
  const found: Aim[] = [];
  // The object in the path is created for each endpoint that writes, because calls may end it. All others are shared.
  const related = once(world);
  for (const endpoint of world.app.registry.endpoints.filter(of)) {
    const target = targetOf(endpoint);
    found.push({
      endpoint,
      path: pathWith(
        endpoint,
        target ? await (isWrite(endpoint) ? seed(world, target) : related(target)) : anyId(endpoint),
      ),
      as: await callerOf(world, endpoint),
      body: await sampleBody(world, endpoint, related),
    });
  }
  await gatherStatistics(world);
  return found;
}

/** An installation does it itself; without, PostgreSQL takes hundreds of new rows for one and joins them all. */
async function gatherStatistics({ databaseUrl }: World): Promise<void> {
  const owner = await connectTo(databaseUrl);
  await owner.query('ANALYZE').finally(() => owner.end());
}

export function survives({ status, body, text }: ApiAnswer): void {
  assert.ok(status < 500, text.slice(0, 300));
  if (status >= 400) assert.equal(typeof body?.code, 'string', text.slice(0, 300));
}

export type Shots = [what: string, shot: () => Promise<void>][];

export async function shootAll(shotsOf: readonly (readonly [Aim, Shots])[]): Promise<void> {
  const complaints = new Complaints();
  const all = shotsOf.flatMap(([{ endpoint }, shots]) =>
    shots.map(([what, shot]) => ({ what: `${nameOf(endpoint)} ${what}`, shot })),
  );
  await forAll(all, ({ what, shot }) => complaints.of(what, shot));
  complaints.throwIfAny();
}

/** Returns the first of each form: what holds for it holds for all of that form. */
export function firstOfEach<T>(all: readonly T[], form: (one: T) => string): T[] {
  const first = new Map<string, T>();
  for (const one of all) if (!first.has(form(one))) first.set(form(one), one);
  return [...first.values()];
}

/**
 * Returns what decides how a value is read: its whole declaration except its descriptions, the specific listed values,
 * and the specific bounds.
 */
export const formOf = (schema: JsonSchema): string =>
  JSON.stringify(schema, (key, value) =>
    WORDS.has(key) ? undefined : key === 'enum' ? 'listed' : BOUNDS.test(key) ? 'bounded' : value,
  );

/** Returns the form of a value including its bounds and listed values. */
export const describeExactForm = (schema: JsonSchema): string =>
  JSON.stringify(schema, (key, value) => (WORDS.has(key) ? undefined : value));

const WORDS = new Set(['description', 'default', 'example', 'examples', 'title']);
const BOUNDS = /^(min|max)/;

/** Returns the form of an endpoint's calls: endpoints with the same form read their bodies in the same way. */
export const callForm = ({ endpoint: { method, belongsTo, who, target, body } }: Pick<Aim, 'endpoint'>): string =>
  JSON.stringify([method, belongsTo, Object.keys(who), target !== undefined, body !== undefined]);

/**
 * Returns all shots for one endpoint of each form. The other endpoints get the first shot, in turns from change to
 * change: it shows that they are wired in the same way.
 */
export function onceForEachForm(
  all: readonly Aim[],
  shots: (aim: Aim) => Shots,
  form: (aim: Aim) => string = callForm,
): (readonly [Aim, Shots])[] {
  const { first, others } = byForm(all, form);
  return [
    ...first.map((aim) => [aim, shots(aim)] as const),
    ...inTurns(others).map((aim) => [aim, shots(aim).slice(0, 1)] as const),
  ];
}

/** Splits items into the first of each form, and all others. */
export function byForm<T>(all: readonly T[], form: (one: T) => string): { first: T[]; others: T[] } {
  const first = firstOfEach(all, form);
  const taken = new Set(first);
  return { first, others: all.filter((one) => !taken.has(one)) };
}

/** Returns the first of each form, and some of the others in turns from change to change. */
export function formsAndTurns<T>(all: readonly T[], form: (one: T) => string): T[] {
  const { first, others } = byForm(all, form);
  return [...first, ...inTurns(others)];
}

/**
 * Returns true if an invalid value of this type is recognized before anything is done with it, so the whole list would
 * only repeat that.
 */
export const isNarrow = (schema: JsonSchema): boolean =>
  schema.enum !== undefined ||
  ['integer', 'number', 'boolean'].includes([schema.type === 'array' ? schema.items?.type : schema.type].flat()[0]);

/**
 * Returns the values that reading accepts, and only the first of those that it refuses: all refusals end in the same
 * way.
 */
export const telling = <T>(values: readonly T[], isTaken: (value: T) => boolean): T[] => [
  ...values.filter(isTaken),
  ...values.filter((value) => !isTaken(value)).slice(0, 1),
];
