/** What the tests of hostile input share: every endpoint with a well-meant call, to be bent. */
import assert from 'node:assert/strict';
import { seed } from '../seeds.ts';
import { anyId, callerOf, Complaints, forAll, nameOf, once, pathWith, sampleBody, targetOf } from './cases.ts';
import { inTurns } from '../rare.ts';
import type { ApiAnswer, World } from '../world.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { JsonSchema } from '../../kernel/base/fields/field.ts';

/** An endpoint with what a well-meant call of it looks like. Every JSON answer is held against the document besides. */
export interface Aim {
  readonly endpoint: Declared;
  readonly path: string;
  readonly as: string | undefined;
  readonly body: Record<string, unknown>;
}

export async function aims(world: World, of: (endpoint: Declared) => boolean): Promise<Aim[]> {
  const found: Aim[] = [];
  // What a path names is its own: calls may end it. What bodies point to, they share.
  const related = once(world);
  for (const endpoint of world.app.registry.endpoints.filter(of)) {
    const target = targetOf(endpoint);
    found.push({
      endpoint,
      path: pathWith(endpoint, target ? await seed(world, target) : anyId(endpoint)),
      as: await callerOf(world, endpoint),
      body: await sampleBody(world, endpoint, related),
    });
  }
  return found;
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

/** The first of each form: what holds for it holds for all that have that form. */
export function firstOfEach<T>(all: readonly T[], form: (one: T) => string): T[] {
  const first = new Map<string, T>();
  for (const one of all) if (!first.has(form(one))) first.set(form(one), one);
  return [...first.values()];
}

/**
 * What decides how a value is read: everything that is declared of it but its words, which of the listed values it may
 * be, and how long or large.
 */
export const formOf = (schema: JsonSchema): string =>
  JSON.stringify(schema, (key, value) =>
    WORDS.has(key) ? undefined : key === 'enum' ? 'listed' : BOUNDS.test(key) ? 'bounded' : value,
  );

/** The same with the bounds, and with the values that are listed. */
export const exactFormOf = (schema: JsonSchema): string =>
  JSON.stringify(schema, (key, value) => (WORDS.has(key) ? undefined : value));

const WORDS = new Set(['description', 'default', 'example', 'examples', 'title']);
const BOUNDS = /^(min|max)/;

/** How an endpoint is called: one body is read like another where this is the same. */
export const callForm = ({ endpoint: { method, belongsTo, who, target, body } }: Pick<Aim, 'endpoint'>): string =>
  JSON.stringify([method, belongsTo, Object.keys(who), target !== undefined, body !== undefined]);

/**
 * All shots at one endpoint of each form. The other endpoints get the first shot, in turns from change to change: it
 * shows that they are wired to the same.
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

/** The first of each form, and all others. */
export function byForm<T>(all: readonly T[], form: (one: T) => string): { first: T[]; others: T[] } {
  const first = firstOfEach(all, form);
  const taken = new Set(first);
  return { first, others: all.filter((one) => !taken.has(one)) };
}

/** The first of each form, and the others in turns from change to change. */
export function formsAndTurns<T>(all: readonly T[], form: (one: T) => string): T[] {
  const { first, others } = byForm(all, form);
  return [...first, ...inTurns(others)];
}

/**
 * A value of these is told from one that is not before anything is done with it; the whole list would only repeat that.
 */
export const isNarrow = (schema: JsonSchema): boolean =>
  schema.enum !== undefined ||
  ['integer', 'number', 'boolean'].includes([schema.type === 'array' ? schema.items?.type : schema.type].flat()[0]);

/** Values that reading takes, and of those that it refuses the first: all of them end in the same way. */
export const telling = <T>(values: readonly T[], isTaken: (value: T) => boolean): T[] => [
  ...values.filter(isTaken),
  ...values.filter((value) => !isTaken(value)).slice(0, 1),
];
