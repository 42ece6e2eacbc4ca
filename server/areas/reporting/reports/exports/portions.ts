/** The rows of an export, in portions that are read in transactions of their own, however many there are. */
import { commandOf, groupsShape, periodKey, rowsShape, type Reading } from '../read-report.ts';
import { countOf, groupCountOf, groupsOf, pageOf } from '../statements.ts';
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
  const { columns, selected, print } = rowsShape(report, asked, reading);
  async function* portions() {
    for (let after: number | null = 0; after !== null;) {
      const page = { limit: PORTION, offset: 0, orders: [], after };
      const [{ rows }] = await reading.send([commandOf(pageOf(report, reading.asked, selected, page), reading)]);
      yield rows.map(([, ...cells]) => print(cells));
      after = rows.length < PORTION ? null : Number(rows.at(-1)![0]);
    }
  }
  return {
    keys: columns.map(([key]) => key),
    total: await numberIn(reading, countOf(report, reading.asked)),
    portions: portions(),
  };
}

/** In the order that was asked for. */
export async function allGroups(report: Report, asked: Record<string, any>, reading: Reading): Promise<Rows> {
  const { columns, orders, periods, groups, print } = await groupsShape(report, asked, reading);
  async function* portions() {
    for (let offset = 0, found = PORTION; found === PORTION; offset += PORTION) {
      const page = { limit: PORTION, offset, orders };
      const [{ rows }] = await reading.send([commandOf(groupsOf(report, reading.asked, groups, page), reading)]);
      yield rows.map(print);
      found = rows.length;
    }
  }
  return {
    keys: [...columns.map(([key]) => key), ...periods.map(periodKey)],
    total: await numberIn(reading, groupCountOf(report, reading.asked, groups.by)),
    portions: portions(),
  };
}
