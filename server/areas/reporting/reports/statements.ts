/** The statements of a report: a page of its rows, their number, and the same for groups. */
import { and, join, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { may, type Viewer } from '../../../kernel/work/access/viewer.ts';
import { isWithin, periodOf, unitOf, type Pivot } from './periods.ts';
import { TODAY } from './moment.ts';
import { asSql, type Counted, type Report } from './report.ts';
import type { Around, Column, ReportFilter } from './columns.ts';

/** A query to a report. */
export interface Asked {
  readonly viewer: Viewer;
  readonly around: Around;
  /** filter values by name */
  readonly filters: Readonly<Record<string, unknown>>;
}

const NOTHING = raw('false');
const NULL = raw('NULL::text');

/** Returns whether the caller may see the column. */
export const isShown = ({ for: permissions }: Column, viewer: Viewer): boolean =>
  permissions === undefined || may(viewer, ...permissions);

/** Returns the condition of a filter; if it reveals a column that the caller may not see, it matches nothing. */
function conditionOf(
  { columns, grouped }: Report,
  { where, reads }: ReportFilter,
  value: unknown,
  { viewer, around }: Asked,
): Sql {
  const keys = typeof reads === 'function' ? reads(value) : reads === undefined ? [] : [reads];
  const hidden = keys.some((key) => {
    // A grouping column may be hidden even if the column of the same name isn't.
    const column = typeof reads === 'function' ? grouped?.by[key] : (columns[key] ?? grouped?.by[key]);
    if (column === undefined) throw new Error(`a filter reads ${key}, which is not a column`);
    return !isShown(column, viewer);
  });
  return hidden ? NOTHING : where(value, around);
}

/** Returns the conditions that select the rows. */
function conditionsOf(of: Report, asked: Asked): Sql[] {
  const { venue, where, unless = {}, filters } = of;
  const { viewer, around } = asked;
  const conditions = [raw(`${baseOf(of)}.provider_id = current_provider_id()`)];
  if (where) conditions.push(where);
  for (const [name, condition] of Object.entries(unless))
    if (asked.filters[name] === undefined || asked.filters[name] === false) conditions.push(condition(around));
  for (const [name, filter] of Object.entries(filters))
    if (asked.filters[name] !== undefined && !(name in unless))
      conditions.push(conditionOf(of, filter, asked.filters[name], asked));
  if (viewer.venues !== null)
    conditions.push(venue === null ? NOTHING : sql`${raw(venue)} = ANY(${[...viewer.venues]}::bigint[])`);
  return conditions;
}

/** Returns the alias of the table of the rows. */
const baseOf = ({ from }: Pick<Report, 'from'>): string => textOf(asSql(from)).trimEnd().split(/[\s)]/).at(-1)!;

const textOf = ({ texts }: Sql): string => texts.join(' ');

/** Returns the joins that these expressions use, and those that the joins use. */
function joinsFor(joins: Readonly<Record<string, Sql | Counted>>, used: readonly Sql[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const look = (text: string): void => {
    for (const [name, join] of Object.entries(joins)) {
      if (needed.has(name) || !new RegExp(`(?<![\\w.])${name}\\.`).test(text)) continue;
      needed.add(name);
      look(textOf('each' in join ? join.each : join));
    }
  };
  for (const one of used) look(textOf(one));
  return needed;
}

/** Expressions that a statement reads: for every row, or only for the rows that are finally shown. */
interface Read {
  readonly ofAll: readonly Sql[];
  readonly ofShown?: readonly Sql[];
}

/** Returns FROM with the joins that these expressions use. */
function fromOf({ from, joins = {} }: Report, { ofAll, ofShown = [] }: Read): Sql {
  const needed = joinsFor(joins, [...ofAll, ...ofShown]);
  const early = joinsFor(joins, ofAll);
  const formOf = (name: string, join: Sql | Counted): Sql =>
    'each' in join ? (early.has(name) ? join.all : join.each) : join;
  const used = Object.entries(joins).filter(([name]) => needed.has(name));
  return join([asSql(from), ...used.map(([name, one]) => formOf(name, one))], ' ');
}

const rowsOf = (of: Report, conditions: readonly Sql[], { ofAll, ofShown }: Read): Sql =>
  sql`FROM ${fromOf(of, { ofAll: [...conditions, ...ofAll], ofShown })} WHERE ${and(conditions)}`;

/** Returns the selection of columns; columns that the caller may not see aren't read. */
const selected = (columns: readonly Column[], viewer: Viewer): Sql[] =>
  columns.flatMap((column) => (isShown(column, viewer) ? column.reads : column.reads.map(() => NULL)));

export interface Order {
  readonly column: Column;
  readonly descending: boolean;
}

const orderBy = ({ id }: Report, orders: readonly Order[], viewer: Viewer): Sql[] =>
  orders
    .filter(({ column }) => isShown(column, viewer))
    .map(({ column, descending }) => {
      const always = column.always || textOf(column.reads[0]) === id;
      return sql`${column.reads[0]} ${raw(!descending ? 'ASC' : always ? 'DESC' : 'DESC NULLS LAST')}`;
    });

export interface Page {
  readonly orders: readonly Order[];
  readonly limit: number;
  readonly offset: number;
  /** only rows with greater ids, in the order of ids */
  readonly after?: number | null;
}

/** Returns the condition for rows with greater ids; for a synthetic id, also in the form that an index can use. */
const behind = ({ id, seek }: Report, after: number): Sql[] => [
  sql`${raw(id)} > ${after}`,
  ...(seek ? [sql`${raw(seek.by)} >= ${Math.floor(after / seek.of)}::bigint`] : []),
];

/** Returns a page of rows: the id of each, then the selection. */
export function pageOf(of: Report, asked: Asked, columns: readonly Column[], page: Page): Sql {
  const { viewer } = asked;
  const conditions = conditionsOf(of, asked);
  const byId = page.after !== undefined;
  if (typeof page.after === 'number') conditions.push(...behind(of, page.after));
  const reads = selected(columns, viewer);
  const byIds = of.seek ? [raw(of.seek.by), raw(of.id)] : [raw(of.id)];
  const orders = [...(byId ? [] : orderBy(of, page.orders, viewer)), ...byIds];
  const shown = sql`SELECT ${join([raw(of.id), ...reads], ', ')}`;
  const part = sql`LIMIT ${page.limit} OFFSET ${page.offset}`;
  const order = sql`ORDER BY ${join(orders, ', ')}`;
  if (byId || of.seek)
    return sql`${shown} ${rowsOf(of, conditions, { ofAll: orders, ofShown: reads })} ${order} ${part}`;
  // The ids are selected before anything that is only shown is read, so that rows before the page cost less.
  const ids = sql`SELECT ${raw(of.id)} ${rowsOf(of, conditions, { ofAll: orders })} ${order} ${part}`;
  const inPage = [...conditions, sql`${raw(of.id)} = ANY(ARRAY(${ids}))`];
  return sql`${shown} FROM ${fromOf(of, { ofAll: [], ofShown: [...inPage, ...reads, ...orders] })}
    WHERE ${and(inPage)} ${order}`;
}

/** Returns the ids of all rows in an order, as one text with commas, for callers that read the rows in batches. */
export function idsOf(of: Report, asked: Asked, asking: readonly Order[]): Sql {
  const orders = [...orderBy(of, asking, asked.viewer), raw(of.id)];
  const rows = rowsOf(of, conditionsOf(of, asked), { ofAll: orders });
  return sql`SELECT array_to_string(ARRAY(SELECT ${raw(of.id)} ${rows} ORDER BY ${join(orders, ', ')}), ',')`;
}

/** Returns those of these rows that still match, in any order: the id of each, then the selection. */
export function rowsById(of: Report, asked: Asked, columns: readonly Column[], ids: readonly number[]): Sql {
  const { id, seek } = of;
  const reads = selected(columns, asked.viewer);
  const conditions = [...conditionsOf(of, asked), sql`${raw(id)} = ANY(${ids}::bigint[])`];
  if (seek) {
    const found = [...new Set(ids.map((one) => Math.floor(one / seek.of)))];
    conditions.push(sql`${raw(seek.by)} = ANY(${found}::bigint[])`);
  }
  return sql`SELECT ${join([raw(id), ...reads], ', ')}
    FROM ${fromOf(of, { ofAll: [], ofShown: [...conditions, ...reads] })} WHERE ${and(conditions)}`;
}

/** Returns the number of rows, or of rows with greater ids. */
export const countOf = (of: Report, asked: Asked, after?: number): Sql =>
  sql`
    SELECT ${countingOf(of)}
      ${rowsOf(of, [...conditionsOf(of, asked), ...(after === undefined ? [] : behind(of, after))], { ofAll: [] })}`;

const countingOf = ({ counts }: Pick<Report, 'counts'>, filter = raw('')): Sql =>
  counts ? sql`coalesce(sum(${counts})${filter}, 0)` : sql`count(*)${filter}`;

/** Returns the last periods that contain anything, latest first. */
export function periodsOf(of: Report, asked: Asked, pivot: Pivot, most: number): Sql {
  const { pivot: at, spans } = of.grouped!;
  // Something can be active for years: uses the periods that end today.
  if (spans)
    return sql`SELECT ${periodOf(pivot, raw('p'))} FROM generate_series(0, ${most}::int - 1) n,
      LATERAL (SELECT ${TODAY}::date - make_interval(${raw(pivot === 'active_by_year' ? 'years' : 'months')} => n) AS p)
        d ORDER BY 1 DESC`;
  // Times are truncated for each row first; only the distinct results are formatted.
  const period = sql`date_trunc(${raw(`'${unitOf(pivot)}'`)}, ${at!})`;
  const rows = rowsOf(of, [...conditionsOf(of, asked), sql`${at!} IS NOT NULL`], { ofAll: [period] });
  return sql`SELECT ${periodOf(pivot, raw('p'))} FROM (SELECT DISTINCT ${period} AS p ${rows}) d ORDER BY p DESC
    LIMIT ${most}`;
}

/** Returns the count of one period, as a column. */
export const ofPeriod = (of: Report, pivot: Pivot, period: string): Sql =>
  countingOf(of, sql` FILTER (WHERE ${isWithin(of.grouped!, pivot, period)})`);

export interface Groups {
  readonly by: readonly Column[];
  readonly measures: readonly Column[];
  /** additional columns for the periods of a pivot */
  readonly more: readonly Sql[];
}

/** Returns the groups of rows: the grouping columns, then the measures. */
export function groupsOf(of: Report, asked: Asked, { by, measures, more }: Groups, page: Page): Sql {
  const { viewer } = asked;
  const conditions = conditionsOf(of, asked);
  const keys = selected(by, viewer);
  const reads = [...keys, ...selected(measures, viewer), ...more];
  const orders = [...orderBy(of, page.orders, viewer), ...keys.map((_, n) => raw(String(n + 1)))];
  return sql`SELECT ${join(reads, ', ')} ${rowsOf(of, conditions, { ofAll: reads })}${groupBy(keys)}
    ${orders.length > 0 ? sql`ORDER BY ${join(orders, ', ')}` : raw('')} LIMIT ${page.limit} OFFSET ${page.offset}`;
}

/** Returns the number of groups. */
export function groupCountOf(of: Report, asked: Asked, by: readonly Column[]): Sql {
  const keys = selected(by, asked.viewer);
  const rows = rowsOf(of, conditionsOf(of, asked), { ofAll: keys });
  // Without grouping columns, all rows are one group, even if there are none.
  return keys.length === 0
    ? raw('SELECT 1')
    : sql`SELECT count(*) FROM (SELECT ${join(keys, ', ')} ${rows}${groupBy(keys)}) g`;
}

const groupBy = (keys: readonly Sql[]): Sql =>
  keys.length === 0
    ? raw('')
    : sql` GROUP BY ${join(
        keys.map((_, n) => raw(String(n + 1))),
        ', ',
      )}`;
