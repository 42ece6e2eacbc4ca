/** The rows of an export, in batches that are read in separate transactions, however many there are. */
import {
  commandOf,
  groupsShape,
  overStored,
  periodKey,
  rowsShape,
  type ColumnCells,
  type Reading,
} from '../read-report.ts';
import { setTimeout } from 'node:timers/promises';
import { countOf, groupCountOf, groupsOf, idsOf, pageOf, rowsById } from '../statements.ts';
import { ordersOf } from '../ask.ts';
import { Pace } from './pace.ts';
import { readOnce, type Look } from './read-once.ts';
import { kindOf, type Cells, type Table, type TableColumn } from './formats.ts';
import type { Command } from '../../../../kernel/base/db/sharing/batch.ts';
import type { Report } from '../report.ts';
import type { Column } from '../columns.ts';
import type { Sql } from '../../../../kernel/base/db/sql.ts';

/**
 * Rows read at a time. Few, because objects that survive two collections of V8's young generation move to memory that
 * is rarely collected, and the process grows.
 */
const PORTION = 1000;

export interface Rows extends Table {
  readonly total: number;
}

const numberIn = async (reading: Reading, of: Sql): Promise<number> =>
  Number((await reading.send([commandOf(of, reading)]))[0].rows[0][0]);

const tableColumns = (columns: readonly (readonly [string, Column])[], parts: readonly ColumnCells[]): TableColumn[] =>
  columns.map(([key, { field }], n) => ({ key, kind: kindOf(field), ...parts[n] }));

type ReadPortion = (last: Cells | null, offset: number) => Promise<readonly Cells[]>;

interface Course {
  readonly isLast?: (rows: readonly Cells[], offset: number) => boolean;
  readonly pace?: Pick<Pace, 'after'>;
}

/** Yields batches until `isLast` is true for one. The next is read while one is written, after a pause. */
async function* portionsBy(
  read: ReadPortion,
  { isLast = (rows) => rows.length < PORTION, pace = new Pace() }: Course = {},
): AsyncGenerator<readonly Cells[]> {
  let rest = 0;
  const rested: ReadPortion = async (last, offset) => {
    await setTimeout(rest);
    const began = performance.now();
    const rows = await read(last, offset);
    rest = pace.after(performance.now() - began);
    return rows;
  };
  let next: Promise<readonly Cells[]> | null = rested(null, 0);
  for (let offset = PORTION; next !== null; offset += PORTION) {
    const rows: readonly Cells[] = await next;
    next = isLast(rows, offset) ? null : rested(rows.at(-1) ?? null, offset);
    // If the consumer stops, a failure of the next batch is ignored.
    next?.catch(() => {});
    yield rows;
  }
}

/**
 * Returns all rows in the requested order, or in that of their ids: rows created while it is written are at its end.
 */
export async function allRows(declared: Report, asked: Record<string, any>, reading: Reading): Promise<Rows> {
  const report = overStored(declared, reading);
  const { columns, parts, selected } = rowsShape(report, asked, reading);
  const shape = { name: report.name, columns: tableColumns(columns, parts) };
  const inOrder = asked.id_gt === undefined && asked.sort?.length > 0;
  return { ...shape, ...(await (inOrder ? sorted : byId)(report, asked, reading, selected)) };
}

type Portions = Pick<Rows, 'total' | 'portions'>;

async function byId(
  report: Report,
  { id_gt: after }: Record<string, any>,
  reading: Reading,
  selected: readonly Column[],
): Promise<Portions> {
  const read: ReadPortion = async (last) => {
    const page = { limit: PORTION, offset: 0, orders: [], after: last === null ? (after ?? 0) : Number(last[0]) };
    return (await reading.send([commandOf(pageOf(report, reading.asked, selected, page), reading)]))[0].rows;
  };
  return { total: await numberIn(reading, countOf(report, reading.asked, after)), portions: portionsBy(read) };
}

/**
 * Reads the order once, as ids: eight bytes for each row. Finding each batch by an offset would sort everything again.
 */
async function sorted(
  report: Report,
  { sort }: Record<string, any>,
  reading: Reading,
  selected: readonly Column[],
): Promise<Portions> {
  const orders = ordersOf(report.columns, sort, report.sort);
  const [answer] = await reading.send([commandOf(idsOf(report, reading.asked, orders), reading)]);
  const ids = numbersIn(answer.rows[0][0] ?? '');
  const read: ReadPortion = async (_last, offset) => {
    const some = [...ids.subarray(offset, offset + PORTION)];
    const [{ rows }] = await reading.send([commandOf(rowsById(report, reading.asked, selected, some), reading)]);
    const found = new Map(rows.map((row) => [Number(row[0]), row]));
    // Rows that no longer exist or match are skipped.
    return some.map((id) => found.get(id)).filter((row) => row !== undefined);
  };
  return { total: ids.length, portions: portionsBy(read, { isLast: (_rows, offset) => offset >= ids.length }) };
}

/** Parses a text with commas number by number: a list of a million texts would stay in memory for long. */
function numbersIn(text: string): Float64Array {
  let count = text === '' ? 0 : 1;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count += 1;
  const numbers = new Float64Array(count);
  for (let n = 0, from = 0; n < count; n++) {
    const comma = text.indexOf(',', from);
    const end = comma === -1 ? text.length : comma;
    numbers[n] = Number(text.slice(from, end));
    from = end + 1;
  }
  return numbers;
}

/** No limit. */
const MAX_GROUPS = 2 ** 31 - 1;

/**
 * Returns all groups in the requested order. They are computed once: computing them for each batch would repeat the
 * work, and a change in between would move groups from one batch to another.
 */
export async function allGroups(
  declared: Report,
  asked: Record<string, any>,
  reading: Reading,
  look: Look,
): Promise<Rows> {
  const { report, columns, orders, periods, parts, groups } = await groupsShape(declared, asked, reading);
  const all = groupsOf(report, reading.asked, groups, { limit: MAX_GROUPS, offset: 0, orders });
  return {
    name: report.name,
    columns: [
      ...tableColumns(columns, parts),
      ...periods.map((period, n) => ({ key: periodKey(period), kind: 'plain' as const, ...parts[columns.length + n] })),
    ],
    total: await numberIn(reading, groupCountOf(report, reading.asked, groups.by)),
    portions: portionsOnce(look, commandOf(all, reading)),
  };
}

/** Fetching computed rows costs nothing, and their transaction must not stay open. */
const RESTLESS = { after: () => 0 };

async function* portionsOnce(look: Look, of: Command): AsyncGenerator<readonly Cells[]> {
  const { read, end } = await readOnce(look, of, PORTION);
  try {
    yield* portionsBy(read, { pace: RESTLESS });
  } finally {
    await end();
  }
}
