/** The rows of an export, in portions that are read in transactions of their own, however many there are. */
import { columnsAsked, groupedColumns } from '../ask.ts';
import { commandOf, groupingOf, periodsAsked, printer, type Reading } from '../read-report.ts';
import { groupCountOf, groupsOf, countOf, ofPeriod, pageOf, type Pivot } from '../statements.ts';
import { ordersOf } from '../ask.ts';
import type { Report } from '../report.ts';
import type { Sql } from '../../../../kernel/db/sql.ts';
import type { Table } from './formats.ts';

/** So many rows are read at a time. */
const PORTION = 2000;

export interface Rows extends Table {
  readonly total: number;
}

const numberIn = async (reading: Reading, of: Sql): Promise<number> =>
  Number((await reading.send([commandOf(of, reading)]))[0].rows[0][0]);

/** In the order of their ids: rows that come to be while it is written are at its end. */
export async function allRows(report: Report, asked: Record<string, any>, reading: Reading): Promise<Rows> {
  const keys = columnsAsked(report, asked.columns);
  const columns = keys.map((key) => [key, report.columns[key]] as const);
  const read = columns.map(([, column]) => column);
  const print = printer(columns, reading);
  async function* portions() {
    for (let after: number | null = 0; after !== null;) {
      const page = { limit: PORTION, offset: 0, orders: [], after };
      const [{ rows }] = await reading.send([commandOf(pageOf(report, reading.asked, read, page), reading)]);
      yield rows.map(([, ...cells]) => print(cells));
      after = rows.length < PORTION ? null : Number(rows.at(-1)![0]);
    }
  }
  return { keys, total: await numberIn(reading, countOf(report, reading.asked)), portions: portions() };
}

/** In the order that was asked for. */
export async function allGroups(report: Report, asked: Record<string, any>, reading: Reading): Promise<Rows> {
  const { by, measures } = groupingOf(report, asked.columns);
  const columns = [...by, ...measures];
  const periods = await periodsAsked(report, asked, reading);
  const pivot = asked.pivot as Pivot;
  const orders = ordersOf(groupedColumns(report), asked.sort, null).filter(({ key }) =>
    columns.some(([shown]) => shown === key),
  );
  const groups = {
    by: by.map(([, column]) => column),
    measures: measures.map(([, column]) => column),
    more: periods.map((period) => ofPeriod(report, pivot, period)),
  };
  const width = columns.reduce((sum, [, column]) => sum + column.reads.length, 0);
  const print = printer(columns, reading);
  async function* portions() {
    for (let offset = 0, found = PORTION; found === PORTION; offset += PORTION) {
      const [{ rows }] = await reading.send([
        commandOf(groupsOf(report, reading.asked, groups, { limit: PORTION, offset, orders }), reading),
      ]);
      yield rows.map((cells) => ({
        ...print(cells),
        ...(periods.length > 0 && {
          pivot: Object.fromEntries(periods.map((period, n) => [period, Number(cells[width + n])])),
        }),
      }));
      found = rows.length;
    }
  }
  return {
    keys: [...columns.map(([key]) => key), ...periods.map((period) => `pivot.${period}`)],
    total: await numberIn(reading, groupCountOf(report, reading.asked, groups.by)),
    portions: portions(),
  };
}
