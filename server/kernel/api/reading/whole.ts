/** Complete objects in a response that is not a resource itself: their properties without `fields` and `expand`. */
import { fill, join, raw, param, sql, statement } from '../../base/db/sql.ts';
import { planFor, visible, type Printed } from './compile.ts';
import { select } from './selection.ts';
import type { Input, Viewer } from '../../work/access/viewer.ts';
import type { Resources } from '../resource.ts';
import type { Transaction } from '../../base/db/database.ts';
import type { Wire } from '../../base/fields/field.ts';

const wanted = param<Input & { ids: readonly number[] }>((i) => i.ids);
const ENTER = statement(sql`SELECT set_config('rollcall.provider_id', ${null}, true)`);
const noRelated = (name: string): never => {
  throw new Error(`a whole object opens no related ones, and "${name}" is one`);
};

/**
 * Returns rows of a resource, by id, without those that the viewer may not see. They belong to the viewer's business,
 * whatever tenants the transaction spans.
 */
export async function wholes(
  { tx, registry }: { readonly tx: Transaction; readonly registry: Resources },
  name: string,
  ids: readonly number[],
  viewer: Viewer,
  wire: Wire,
): Promise<Map<number, Printed>> {
  const resource = registry.resourceOf(name);
  const plan = planFor(
    resource,
    select(resource, noRelated),
    { resourceOf: noRelated, shownOf: ({ shown }, property) => shown[property] },
    viewer,
  );
  if (plan.branches.length > 0) throw new Error(`"${resource.name}" shows lists of others`);
  const conditions = [
    sql`t.provider_id = ${viewer.providerId}`,
    sql`t.${raw(resource.idColumn)} = ANY(${wanted}::bigint[])`,
    ...visible(resource, 't', viewer),
  ];
  const found = statement(
    sql`SELECT t.${raw(resource.idColumn)}, ${join(plan.selects, ', ')}
      FROM ${raw(resource.table)} t ${join(plan.joins, ' ')} WHERE ${join(conditions, ' AND ')}`,
  );
  // Policies read the current business, which a transaction across businesses has not set.
  const [, { rows }] = await tx.send([
    { statement: ENTER, values: [String(viewer.providerId)] },
    { statement: found, values: fill(found.holes, { viewer, now: wire.now, query: {}, ids }) },
  ]);
  return new Map(rows.map(([id, ...row]) => [Number(id), plan.print(row, wire, [])]));
}
