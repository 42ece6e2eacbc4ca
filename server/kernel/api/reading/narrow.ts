/**
 * Filters of a list as conditions: the rows that a page is cut from, for the page itself and for bulk actions on all of
 * them.
 */
import { and, join, raw, param, sql, type Sql } from '../../base/db/sql.ts';
import { provider, type Input, type Viewer } from '../../work/access/viewer.ts';
import { visible } from './compile.ts';
import type { Send } from '../../base/db/sharing/batch.ts';
import type { Filter } from '../filter.ts';
import type { ListEndpoint } from '../acting.ts';
import { shownToViewer, type Resource } from '../resource.ts';

type Filters = Readonly<Record<string, Filter>>;
type Query = Readonly<Record<string, any>>;

interface Narrowed {
  readonly conditions: Sql[];
  /** keyed by text: a join that several conditions need appears once */
  readonly joins: Map<string, Sql>;
}

const queryValue = new Map<string, ReturnType<typeof param<Input>>>();
const valueOf = (name: string) => {
  let value = queryValue.get(name);
  if (!value) queryValue.set(name, (value = param<Input>((i) => i.query[name])));
  return value;
};

export const filtersUsed = (filters: Filters, query: Query): string[] =>
  Object.keys(filters).filter((name) => query[name] !== undefined);

/** Returns conditions over alias `t`: the rows that the viewer may see and that the filters match. */
export function narrow(
  { filters, within }: Pick<ListEndpoint, 'filters' | 'within'>,
  resource: Resource,
  viewer: Viewer,
  query: Query,
): Narrowed {
  const joins = new Map<string, Sql>();
  const conditions = visible(resource, 't', viewer);
  if (within) conditions.push(within('t'));
  for (const name of filtersUsed(filters, query)) {
    const { where, cases, join: joined, reads } = filters[name];
    const condition = cases ? cases[String(query[name])]?.('t') : where?.('t', valueOf(name));
    if (!condition) continue;
    conditions.push(condition);
    // A hidden property is null to the viewer, and no filter matches a null.
    const shown = shownToViewer(resource, name, reads, viewer);
    if (shown !== true) conditions.push(shown === false ? raw('false') : shown);
    addJoin(joins, joined?.('t'));
  }
  return { conditions, joins };
}

export const addJoin = (joins: Map<string, Sql>, fragment: Sql | undefined): unknown =>
  fragment && joins.set(fragment.texts.join('$'), fragment);

/** Returns the query with the values that some filters must look up first. */
export async function resolved(filters: Filters, input: Input, send: Send): Promise<Input> {
  let { query } = input;
  for (const name of filtersUsed(filters, query)) {
    const { resolve } = filters[name];
    if (resolve) query = { ...query, [name]: await resolve(input, send) };
  }
  return { ...input, query };
}

/**
 * Returns all rows of a list for a viewer, as the part of a query after FROM: the row is `t`, and more conditions may
 * follow with AND.
 */
export function rowsOf(list: Pick<ListEndpoint, 'filters' | 'within' | 'returns'>, { viewer, query }: Input): Sql {
  const { resource } = list.returns;
  const { conditions, joins } = narrow(list, resource, viewer, query);
  return sql`${raw(resource.table)} t ${join([...joins.values()], ' ')}
    WHERE ${and([sql`t.provider_id = ${provider}`, ...conditions])}`;
}
