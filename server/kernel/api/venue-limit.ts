/**
 * The limit of staff to venues: their permissions apply at some venues only. A resource declares where its rows are
 * (`place`). `visible` derives the limit for reading; this file derives it for acting, for every endpoint alike.
 *
 * Acting is checked three times: the row that the path names and the rows that the body refers to before anything is
 * done, and every touched row afterwards, as it was and as it is. The last check needs no help from an endpoint, so
 * none can forget it.
 */
import { json, raw, sql, type Sql } from '../base/db/sql.ts';
import { may, type Input, type Viewer } from '../work/access/viewer.ts';
import { Problem } from '../base/problem.ts';
import type { Endpoint } from './acting.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import type { Reads } from '../base/db/database.ts';
import type { Touched, Work } from '../work/unit/work.ts';

export const venueLimit = ({ venues }: Pick<Viewer, 'venues'>, why: string): Problem =>
  new Problem(
    'permission_denied',
    `Your permissions apply ${venues!.length > 0 ? `only at some venues (${venues!.join(', ')})` : 'at no venue'}; ${why}`,
  );

const elsewhere = (viewer: Viewer): Problem => venueLimit(viewer, 'this is at a different one.');

/** Returns true if the objects of an endpoint are at venues. */
export const isPlaced = ({ target, returns, atVenue }: Endpoint): boolean =>
  atVenue ?? Boolean((target ?? ('resource' in returns ? returns.resource : null))?.place);

/** Refuses permissions that are limited to venues if a write concerns the whole business. */
export function checkConcernsVenues(endpoint: Endpoint, viewer: Viewer, { permissions }: Registry): void {
  const { who, method } = endpoint;
  if (viewer.venues === null || method === 'GET' || !Array.isArray(who.provider) || isPlaced(endpoint)) return;
  if (may(viewer, ...who.provider.filter((p) => !permissions.get(p)?.atVenues))) return;
  throw venueLimit(viewer, 'this concerns the whole business.');
}

/**
 * Returns true if the limit applies to the row that the path names. Reads that visitors may make too are open to
 * everybody.
 */
export const isBound = ({ target, method, who }: Endpoint, { venues }: Viewer): boolean =>
  venues !== null && Boolean(target?.place) && (method !== 'GET' || !who.unregistered);

/** Refuses a row at another venue that the caller can already see. */
export async function checkWithin(tx: Reads, resource: Resource, ids: readonly number[], input: Input): Promise<void> {
  const table = sql`SELECT t.* FROM ${raw(resource.table)} t
    WHERE t.provider_id = ${input.viewer.providerId} AND t.${raw(resource.idColumn)} = ANY(${ids}::bigint[])`;
  if (await anyOutside(tx, resource, table, input)) throw elsewhere(input.viewer);
}

/**
 * Refuses touched rows at other venues, no matter how the code found them: rows that were at another venue, or have
 * moved to one.
 */
export async function checkTouched(work: Work, registry: Registry, input: Input): Promise<void> {
  if (work.viewer.venues === null) return;
  for (const [table, rows] of Map.groupBy(work.touched, (row) => row.table)) {
    const resource = registry.resources.values().find((r) => r.table === table);
    if (!resource?.place) continue;
    await checkWithin(
      work.tx,
      resource,
      rows.map((row) => row.id),
      input,
    );
    if (await anyOutside(work.tx, resource, before(table, rows), input)) throw elsewhere(work.viewer);
  }
}

/**
 * Returns rows as they were, without instants: these are epoch milliseconds here, and none determines where a row is.
 */
function before(table: string, rows: readonly Touched[]): Sql {
  const were = rows
    .flatMap((row) => (row.before ? [row.before] : []))
    .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !name.endsWith('_at'))));
  return sql`SELECT * FROM jsonb_populate_recordset(NULL::${raw(table)}, ${json(were)}::jsonb)`;
}

async function anyOutside(tx: Reads, { place }: Resource, rows: Sql, input: Input): Promise<boolean> {
  return (
    (await tx.one(sql`SELECT FROM (${rows}) t WHERE NOT coalesce(${place!.within('t')}, false) LIMIT 1`, input)) !==
    undefined
  );
}
