/** Reads a part of a report as callers get it: how many rows there are, what the columns say, and the rows. */
import { columnsAsked, filterValues, groupedColumns, ordersOf, partOf, type Part } from './ask.ts';
import {
  countOf,
  groupCountOf,
  groupsOf,
  isShown,
  ofPeriod,
  pageOf,
  periodsOf,
  type Asked,
  type Pivot,
} from './statements.ts';
import { fill, statement, type Sql } from '../../../kernel/db/sql.ts';
import { keysOf, labelOf, meaning, namesOf, place } from './names.ts';
import type { Answer, Command } from '../../../kernel/db/batch.ts';
import type { Column, Columns, Report } from './report.ts';
import type { Wire } from '../../../kernel/api/field.ts';

/** One of the columns of an answer, as the answer describes it. */
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
  /** how many rows follow the page */
  readonly following: number;
  /** id of the last row */
  readonly lastId: number | null;
}

export interface Reading {
  readonly asked: Asked;
  readonly wire: Wire;
  readonly send: (commands: readonly Command[]) => Promise<Answer[]>;
}

export const commandOf = (of: Sql, { asked }: Pick<Reading, 'asked'>): Command => {
  const s = statement(of);
  return { statement: s, values: fill(s.holes, { ...asked.around, viewer: asked.viewer, query: {} }) };
};

/** What becomes of the cells of a row: each column takes as many as it reads. */
export function printer(
  columns: readonly (readonly [string, Column])[],
  { asked, wire }: Pick<Reading, 'asked' | 'wire'>,
) {
  return (cells: readonly (string | null)[]): Record<string, any> => {
    const row: Record<string, any> = {};
    let at = 0;
    for (const [key, column] of columns) {
      const own = cells.slice(at, (at += column.reads.length));
      place(row, key, isShown(column, asked.viewer) ? column.make(own, wire) : null);
    }
    return row;
  };
}

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

/** A page of the rows of a report. */
export async function readRows(report: Report, query: Record<string, any>, reading: Reading): Promise<ReportPage> {
  const part = partOf(query);
  const keys = columnsAsked(report, query.columns);
  const columns = keys.map((key) => [key, report.columns[key]] as const);
  const orders = ordersOf(report.columns, query.sort, report.sort);
  const { send } = reading;
  const page = { ...part, orders, after: query.id_gt };
  const [rows, count] = await send([
    commandOf(
      pageOf(
        report,
        reading.asked,
        columns.map(([, column]) => column),
        page,
      ),
      reading,
    ),
    commandOf(countOf(report, reading.asked), reading),
  ]);
  const print = printer(columns, reading);
  const total = Number(count.rows[0][0]);
  const last = rows.rows.at(-1);
  return {
    total,
    column_headers: columns.map(([key, column]) =>
      headerOf(report, key, column, query.id_gt === undefined ? orders : []),
    ),
    rows: rows.rows.map(([, ...cells]) => print(cells)),
    following: followingOf(total, part, rows.rows.length),
    lastId: last ? Number(last[0]) : null,
  };
}

const followingOf = (total: number, { limit, offset }: Part, found: number): number =>
  found < limit ? 0 : Math.max(0, total - offset - found);

/** What a grouped report shows, in the order in which it was asked for. */
export interface Grouping {
  readonly by: readonly (readonly [string, Column])[];
  readonly measures: readonly (readonly [string, Column])[];
}

export function groupingOf(report: Report, asked: readonly string[]): Grouping {
  const keys = keysOf(namesOf(groupedColumns(report)), asked);
  const of = (columns: Columns) => keys.filter((key) => key in columns).map((key) => [key, columns[key]] as const);
  return { by: of(report.grouped!.by), measures: of(report.grouped!.measures) };
}

const plain = (columns: Grouping['by']): Column[] => columns.map(([, column]) => column);

/** A page of the groups of a report. */
export async function readGroups(report: Report, query: Record<string, any>, reading: Reading): Promise<ReportPage> {
  const part = partOf(query);
  const { by, measures } = groupingOf(report, query.columns);
  const orders = ordersOf(groupedColumns(report), query.sort, null).filter(({ key }) =>
    [...by, ...measures].some(([shown]) => shown === key),
  );
  const periods = await periodsAsked(report, query, reading);
  const pivot = query.pivot as Pivot;
  const groups = {
    by: plain(by),
    measures: plain(measures),
    more: periods.map((period) => ofPeriod(report, pivot, period)),
  };
  const [rows, count] = await reading.send([
    commandOf(groupsOf(report, reading.asked, groups, { ...part, orders }), reading),
    commandOf(groupCountOf(report, reading.asked, groups.by), reading),
  ]);
  const columns = [...by, ...measures];
  const width = columns.reduce((sum, [, column]) => sum + column.reads.length, 0);
  const print = printer(columns, reading);
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
        key: `pivot.${period}`,
        sortable: false,
        definition: `The count of ${period}.`,
      })),
    ],
    rows: rows.rows.map((cells) => ({
      ...print(cells),
      ...(periods.length > 0 && {
        pivot: Object.fromEntries(periods.map((period, n) => [period, Number(cells[width + n])])),
      }),
    })),
    following: followingOf(total, part, rows.rows.length),
    lastId: null,
  };
}

/** The periods of a pivot, earliest first. */
export async function periodsAsked(
  report: Report,
  { pivot = 'all', max_pivot_columns: most }: Record<string, any>,
  reading: Reading,
): Promise<string[]> {
  if (pivot === 'all') return [];
  const [{ rows }] = await reading.send([commandOf(periodsOf(report, reading.asked, pivot, most), reading)]);
  return rows.map(([period]) => period!).toReversed();
}

/** The question as its statements need it. */
export const askedOf = (
  report: Report,
  query: Record<string, unknown>,
  of: Pick<Asked, 'viewer' | 'around'>,
): Asked => ({
  ...of,
  filters: filterValues(report, query),
});
