/**
 * Preconditions of a change: the version that the caller knows, the values that it sends back, the objects that it
 * refers to.
 */
import { and, raw, sql } from '../../base/db/sql.ts';
import { checkWithin, isPlaced } from '../venue-limit.ts';
import { etag } from './exchange.ts';
import { inputOf, type Prepared } from './admission.ts';
import { Issues, Problem } from '../../base/problem.ts';
import { visible } from '../reading/compile.ts';
import type { RequestContext } from './request-context.ts';
import type { Send } from '../../base/db/sharing/batch.ts';
import type { Shape } from '../../base/fields/field.ts';
import type { Reads, Transaction } from '../../base/db/database.ts';
import type { CalculateEndpoint, WriteEndpoint } from '../acting.ts';

/** Checks `If-Match`: the row must be the version that the caller has seen. */
export async function checkVersion(
  { reader }: RequestContext,
  { target, returns }: WriteEndpoint,
  tx: Transaction,
  p: Prepared,
): Promise<void> {
  const wanted = p.request.headers['if-match'];
  if (wanted === undefined || !target) return;
  // The selection of the call applies to its response, which may be another object than the path names.
  const chosen =
    returns.kind === 'one' && returns.resource === target ? p.chosen! : reader.choose(target, undefined, undefined);
  const current = await reader.one(target, chosen, inputOf(p), p.wire, (commands) => tx.send(commands));
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(etag(JSON.stringify(current)))) return;
  throw new Problem('version_mismatch', 'The resource has changed since; read it again.');
}

/** Checks that properties sent as null that can't become null are null already. */
export async function checkNothing(
  { reader }: RequestContext,
  { target }: WriteEndpoint,
  tx: Transaction,
  p: Prepared,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const send: Send = (commands) => tx.send(commands);
  const chosen = target && reader.choose(target, names.join(), undefined);
  const now = chosen && (await reader.one(target, chosen, inputOf(p), p.wire, send));
  const issues = new Issues();
  for (const name of names) if (now?.[name] !== null) issues.add(name, 'This field may not be null.');
  issues.throwIfAny();
}

/** Checks that every id in the body is of an object that the caller may see. */
export async function checkReferences(
  { registry }: RequestContext,
  endpoint: WriteEndpoint | CalculateEndpoint,
  tx: Reads,
  p: Prepared,
  body: Record<string, any>,
): Promise<void> {
  const issues = new Issues();
  const wanted = references(endpoint.body ?? {}, body);
  // One statement for each kind of object, no matter how many ids a list has.
  const check = async ([target, same]: [string, typeof wanted]): Promise<void> => {
    const resource = registry.resourceOf(target);
    const all = and([
      sql`t.provider_id = ${p.viewer.providerId}`,
      sql`t.${raw(resource.idColumn)} = ANY(${same.flatMap(({ ids }) => ids)}::bigint[])`,
      ...visible(resource, 't', p.viewer),
    ]);
    const found = await tx.rows<{ id: number }>(
      sql`SELECT t.${raw(resource.idColumn)} AS id FROM ${raw(resource.table)} t WHERE ${all}`,
      inputOf(p),
    );
    const known = new Set(found.map((row) => row.id));
    for (const { path, ids } of same)
      for (const id of ids)
        if (!known.has(id)) issues.add(path, `There is no ${target.replaceAll('_', ' ')} with the id ${id}.`);
  };
  await Promise.all([...Map.groupBy(wanted, (one) => one.target)].map(check));
  issues.throwIfAny();
  if (p.viewer.venues === null || !isPlaced(endpoint)) return;
  for (const { target, ids } of wanted) {
    const resource = registry.resourceOf(target);
    if (resource.place) await checkWithin(tx, resource, ids, inputOf(p));
  }
}

/** Returns the ids in a body that refer to other resources. */
function references(
  shape: Shape,
  body: Record<string, any>,
  within = '',
): { path: string; target: string; ids: number[] }[] {
  const found: { path: string; target: string; ids: number[] }[] = [];
  for (const [name, { spec }] of Object.entries(shape)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    const path = `${within}${name}`;
    if (spec.shape) found.push(...references(spec.shape, value, `${path}.`));
    else if (spec.inner && Array.isArray(value))
      found.push(...value.flatMap((one, n) => references(spec.inner!, one, `${path}.${n}.`)));
    else if (spec.inner && typeof value === 'object') found.push(...references(spec.inner, value, `${path}.`));
    if (spec.relation)
      found.push({
        path,
        target: spec.relation.target,
        ids: [value].flat().filter((one) => typeof one !== 'string'),
      });
  }
  return found;
}
