/** What the tests of hostile input share: every endpoint with a well-meant call, to be bent. */
import assert from 'node:assert/strict';
import { seed } from '../seeds.ts';
import { callerOf, Complaints, forAll, nameOf, pathWith, sampleBody, targetOf } from './cases.ts';
import type { ApiAnswer, World } from '../world.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { JsonSchema } from '../../kernel/api/field.ts';

/** An endpoint with what a well-meant call of it looks like. Every JSON answer is held against the document besides. */
export interface Aim {
  readonly endpoint: Declared;
  readonly path: string;
  readonly as: string | undefined;
  readonly body: Record<string, unknown>;
}

export async function aims(world: World, of: (endpoint: Declared) => boolean): Promise<Aim[]> {
  const found: Aim[] = [];
  for (const endpoint of world.app.registry.endpoints.filter(of)) {
    const target = targetOf(endpoint);
    found.push({
      endpoint,
      path: pathWith(endpoint, target ? await seed(world, target) : 1),
      as: await callerOf(world, endpoint),
      body: await sampleBody(world, endpoint),
    });
  }
  return found;
}

export function survives({ status, body, text }: ApiAnswer): void {
  assert.ok(status < 500, text.slice(0, 300));
  if (status >= 400) assert.equal(typeof body?.code, 'string', text.slice(0, 300));
}

export async function overAims(
  world: World,
  of: (endpoint: Declared) => boolean,
  shots: (aim: Aim) => [what: string, shot: () => Promise<void>][],
): Promise<void> {
  const complaints = new Complaints();
  const all = (await aims(world, of)).flatMap((aim) =>
    shots(aim).map(([what, shot]) => ({ what: `${nameOf(aim.endpoint)} ${what}`, shot })),
  );
  await forAll(all, ({ what, shot }) => complaints.of(what, shot));
  complaints.throwIfAny();
}

/**
 * A value of these is told from one that is not before anything is done with it; the whole list would only repeat that.
 */
export const isNarrow = (schema: JsonSchema): boolean =>
  schema.enum !== undefined ||
  ['integer', 'number', 'boolean'].includes([schema.type === 'array' ? schema.items?.type : schema.type].flat()[0]);
