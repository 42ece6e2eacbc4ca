/** A part of a report as callers get it: the number of rows, the column headers, and the rows. */
import { columnsAsked, filterValues, groupedColumns, ordersOf, partOf, type Part } from './ask.ts';
import { countOf, groupCountOf, groupsOf, isShown, ofPeriod, pageOf, periodsOf, type Asked } from './statements.ts';
import { groupValue, type GroupValues } from './groups.ts';
import { fill, statement, type Sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { keysOf, labelOf, meaning, namesOf, nester } from './names.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Answer, Command } from '../../../kernel/base/db/sharing/batch.ts';
import type { Report } from './report.ts';
import type { Column, Columns } from './columns.ts';
import type { Pivot } from './periods.ts';
import type { Wire } from '../../../kernel/base/fields/field.ts';

/** A column of a response, as the response describes it. */
export interface Header {
  readonly label: string;
  readonly key: string;
  readonly sortable: boolean;
  readonly definition: string;
  readonly holds_customer_id?: true;
  readonly sorted?: { readonly order: 'asc' | 'desc'; readonly priority: number };
  readonly required?: true;
}

export interface ReportPage {
  readonly total: number;
  readonly column_headers: readonly Header[];
  readonly rows: readonly object[];
  /** number of rows after the page */
  readonly following: number;
  /** id of the last row */
  readonly lastId: number | null;
}

export interface GroupsPage extends ReportPage {
  /** for each group, the values that find its rows */
  readonly groups: readonly GroupValues[];
  /** periods that groups are split into, earliest first */
  readonly periods: readonly string[];
}

export interface Reading {
  readonly asked: Asked;
  readonly wire: Wire;
  readonly send: (commands: readonly Command[]) => Promise<Answer[]>;
  /** true if the stored rows of the business are up to date for this request */
  readonly settled?: boolean;
}

/** Returns the report over its stored rows, if they can be used. */
export const overStored = (report: Report, { settled }: Pick<Reading, 'settled'>): Report =>
  (settled && report.stored) || report;

/** Returns the report over sums of its stored rows, if they can answer for these columns and filters. */
function overSums({ sums }: Report, { settled, asked }: Reading, keys: readonly string[] = []): Report | undefined {
  if (!settled || !sums) return undefined;
  const known = groupedColumns(sums);
  const answers = ([name, value]: [string, unknown]): boolean =>
    value === undefined ||
    (name === 'group'
      ? Object.keys(value as object).every((key) => key in known || key.startsWith('pivot.'))
      : name in sums.filters);
  return keys.every((key) => key in known) && Object.entries(asked.filters).every(answers) ? sums : undefined;
}

export const commandOf = (of: Sql, { asked }: Pick<Reading, 'asked'>): Command => {
  const s = statement(of);
  return { statement: s, values: fill(s.holes, { ...asked.around, viewer: asked.viewer, query: {} }) };
};

/** The conversion of the cells of a row that belong to one column: those from `from` up to but excluding `to`. */
export interface ColumnCells {
  readonly from: number;
  readonly to: number;
  /** converts only these cells */
  readonly make: (cells: Cells) => unknown;
}

/** Returns the parts of a row, column by column; the first begins at `from`. */
function partsOf(columns: Named, { asked, wire }: Pick<Reading, 'asked' | 'wire'>, from = 0): ColumnCells[] {
  let to = from;
  return columns.map(([, column]) => {
    const begin = to;
    to += column.reads.length;
    return {
      from: begin,
      to,
      make: isShown(column, asked.viewer) ? (cells) => column.make(cells, wire) : () => null,
    };
  });
}

/** Returns the values of a row. */
const valuesOf =
  (parts: readonly ColumnCells[]) =>
  (cells: Cells): unknown[] =>
    parts.map(({ from, to, make }) => make(cells.slice(from, to)));

type Sorted = ReturnType<typeof ordersOf>;

function headerOf(report: Report, key: string, column: Column, orders: Sorted): Header {
  const priority = orders.findIndex((order) => order.key === key);
  return {
    label: labelOf(key),
    key,
    sortable: column.sortable,
    definition: meaning(column),
    ...(key === report.customer && { holds_customer_id: true as const }),
    ...(priority >= 0 && {
      sorted: { order: orders[priority].descending ? ('desc' as const) : ('asc' as const), priority: priority + 1 },
    }),
  };
}

/** Returns the selection for the rows of a report, and the function that prints a row; its first cell is its id. */
export function rowsShape(report: Report, { columns: asked }: Record<string, any>, reading: Reading) {
  const columns = columnsAsked(report, asked).map((key) => [key, report.columns[key]] as const);
  const parts = partsOf(columns, reading, 1);
  const values = valuesOf(parts);
  const nest = nester(columns.map(([key]) => key));
  return { columns, parts, selected: plain(columns), print: (cells: Cells) => nest(values(cells)) };
}

/** Reads a page of the rows of a report. */
export async function readRows(asked: Report, query: Record<string, any>, reading: Reading): Promise<ReportPage> {
  const report = overStored(asked, reading);
  const part = partOf(query);
  const { columns, selected, print } = rowsShape(report, query, reading);
  const orders = query.id_gt === undefined ? ordersOf(report.columns, query.sort, report.sort) : [];
  const [rows, count] = await reading.send([
    commandOf(pageOf(report, reading.asked, selected, { ...part, orders, after: query.id_gt }), reading),
    commandOf(countOf(overSums(asked, reading) ?? report, reading.asked), reading),
  ]);
  const total = Number(count.rows[0][0]);
  const last = rows.rows.at(-1);
  return {
    total,
    column_headers: columns.map(([key, column]) => headerOf(report, key, column, orders)),
    rows: rows.rows.map(print),
    following: followingOf(total, part, rows.rows.length),
    lastId: last ? Number(last[0]) : null,
  };
}

const followingOf = (total: number, { limit, offset }: Part, found: number): number =>
  found < limit ? 0 : Math.max(0, total - offset - found);

type Cells = readonly (string | null)[];

type Named = readonly (readonly [string, Column])[];

const plain = (columns: Named): Column[] => columns.map(([, column]) => column);

/** Returns the selection and order for the groups of a report, and the function that prints a group. */
export async function groupsShape(asked: Report, query: Record<string, any>, reading: Reading) {
  const known = groupedColumns(asked);
  const keys = keysOf(namesOf(known), query.columns);
  const report = overSums(asked, reading, keys) ?? overStored(asked, reading);
  const of = (columns: Columns): Named =>
    keys.filter((key) => key in columns).map((key) => [key, columns[key]] as const);
  const [by, measures] = [of(report.grouped!.by), of(report.grouped!.measures)];
  const orders = ordersOf(known, query.sort, null);
  const strange = orders.find(({ key }) => !keys.includes(key));
  if (strange)
    throw invalid('sort', `${strange.key} is not among the columns. Add it to columns, or leave it out here.`);
  const periods = await periodsAsked(report, query, reading);
  const pivot = query.pivot as Pivot;
  const columns = [...by, ...measures];
  const width = columns.reduce((sum, [, column]) => sum + column.reads.length, 0);
  const parts = [
    ...partsOf(columns, reading),
    ...periods.map((_, n) => ({ from: width + n, to: width + n + 1, make: ([count]: Cells) => Number(count) })),
  ];
  const values = valuesOf(parts);
  const nest = nester([...columns.map(([key]) => key), ...periods.map(periodKey)]);
  return {
    report,
    columns,
    orders,
    periods,
    parts,
    groups: {
      by: plain(by),
      measures: plain(measures),
      more: periods.map((period) => ofPeriod(report, pivot, period)),
    },
    groupOf: (cells: Cells): GroupValues => {
      const found: Record<string, GroupValues[string]> = {};
      let at = 0;
      for (const [key, column] of by) {
        if (isShown(column, reading.asked.viewer)) found[key] = groupValue(column, cells[at]);
        at += column.reads.length;
      }
      return found;
    },
    print: (cells: Cells): object => nest(values(cells)),
  };
}

/** Returns the column key of a period. */
export const periodKey = (period: string): string => `pivot.${period}`;

/** Reads a page of the groups of a report. */
export async function readGroups(asked: Report, query: Record<string, any>, reading: Reading): Promise<GroupsPage> {
  const part = partOf(query);
  const { report, columns, orders, periods, groups, print, groupOf } = await groupsShape(asked, query, reading);
  const [rows, count] = await reading.send([
    commandOf(groupsOf(report, reading.asked, groups, { ...part, orders }), reading),
    commandOf(groupCountOf(report, reading.asked, groups.by), reading),
  ]);
  const total = Number(count.rows[0][0]);
  return {
    total,
    column_headers: [
      ...columns.map(([key, column]) => ({
        ...headerOf(report, key, column, orders),
        ...(key in report.grouped!.by && { required: true as const }),
      })),
      ...periods.map((period) => ({
        label: period,
        key: periodKey(period),
        sortable: false,
        definition: `The count of ${period}.`,
      })),
    ],
    rows: rows.rows.map(print),
    groups: rows.rows.map(groupOf),
    periods,
    following: followingOf(total, part, rows.rows.length),
    lastId: null,
  };
}

/** Returns the periods of a pivot, earliest first. */
async function periodsAsked(
  report: Report,
  { pivot = 'all', max_pivot_columns: most }: Record<string, any>,
  reading: Reading,
): Promise<string[]> {
  if (pivot === 'all') return [];
  const [{ rows }] = await reading.send([commandOf(periodsOf(report, reading.asked, pivot, most), reading)]);
  return rows.map(([period]) => period!).toReversed();
}

/** Converts the query to the form that the statements need. */
export const askedOf = (
  report: Report,
  query: Record<string, unknown>,
  of: Pick<Asked, 'viewer' | 'around'>,
): Asked => ({
  ...of,
  ...(report.given && {
    around: { ...of.around, given: report.given(query, wallAt(of.around.now, of.around.zone).date) },
  }),
  filters: filterValues(report, query),
});
