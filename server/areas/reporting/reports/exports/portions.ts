/** The rows of an export, in portions that are read in transactions of their own, however many there are. */
import { commandOf, groupsShape, periodKey, rowsShape, type Reading } from '../read-report.ts';
import { setTimeout } from 'node:timers/promises';
import { countOf, groupCountOf, groupsOf, pageOf } from '../statements.ts';
import { Pace } from './pace.ts';
import { kindOf, type Cells, type Table, type TableColumn } from './formats.ts';
import type { Column, Report } from '../report.ts';
import type { Sql } from '../../../../kernel/db/sql.ts';

/**
 * So many rows are read at a time. Few: what lives while V8 tidies up young memory twice is moved to memory that is tidied up
 * rarely, and the process grows.
 */
const PORTION = 1000;

export interface Rows extends Table {
  readonly total: number;
}

const numberIn = async (reading: Reading, of: Sql): Promise<number> =>
  Number((await reading.send([commandOf(of, reading)]))[0].rows[0][0]);

const tableColumn = ([key, { field }]: readonly [string, Column]): TableColumn => ({ key, kind: kindOf(field) });

/** Portions until one is not full. The next is read while one is written, after a rest. */
async function* portionsBy(
  read: (last: Cells | null, offset: number) => Promise<readonly Cells[]>,
): AsyncGenerator<readonly Cells[]> {
  const pace = new Pace();
  let rest = 0;
  const rested = async (last: Cells | null, offset: number) => {
    await setTimeout(rest);
    const began = performance.now();
    const rows = await read(last, offset);
    rest = pace.after(performance.now() - began);
    return rows;
  };
  let next: Promise<readonly Cells[]> | null = rested(null, 0);
  for (let offset = PORTION; next !== null; offset += PORTION) {
    const rows: readonly Cells[] = await next;
    next = rows.length < PORTION ? null : rested(rows.at(-1)!, offset);
    // If nobody asks for it any more, nobody hears that it failed.
    next?.catch(() => {});
    yield rows;
  }
}

/** In the order of their ids: rows that come to be while it is written are at its end. */
export async function allRows(report: Report, asked: Record<string, any>, reading: Reading): Promise<Rows> {
  const { columns, selected, values } = rowsShape(report, asked, reading);
  const read = async (last: Cells | null) => {
    const page = { limit: PORTION, offset: 0, orders: [], after: last === null ? 0 : Number(last[0]) };
    return (await reading.send([commandOf(pageOf(report, reading.asked, selected, page), reading)]))[0].rows;
  };
  return {
    name: report.name,
    columns: columns.map(tableColumn),
    total: await numberIn(reading, countOf(report, reading.asked)),
    portions: portionsBy(read),
    // The first cell is the id by which the next portion is found.
    values: (cells) => values(cells, 1),
  };
}

/** In the order that was asked for. */
export async function allGroups(report: Report, asked: Record<string, any>, reading: Reading): Promise<Rows> {
  const { columns, orders, periods, groups, values } = await groupsShape(report, asked, reading);
  const read = async (_last: Cells | null, offset: number) => {
    const page = { limit: PORTION, offset, orders };
    return (await reading.send([commandOf(groupsOf(report, reading.asked, groups, page), reading)]))[0].rows;
  };
  return {
    name: report.name,
    columns: [
      ...columns.map(tableColumn),
      ...periods.map((period) => ({ key: periodKey(period), kind: 'plain' as const })),
    ],
    total: await numberIn(reading, groupCountOf(report, reading.asked, groups.by)),
    portions: portionsBy(read),
    values,
  };
}
