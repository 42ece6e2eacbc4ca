/** A calendar (.ics) as a table: a row for each time at which one of its events takes place, from now on for a year. */
import { invalid } from '../../../kernel/base/problem.ts';
import { readCalendar, UnreadableCalendar } from '../../availability/calendars/index.ts';
import { shortened } from './cell.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { BusinessClock } from '../../../kernel/api/acting.ts';
import type { CsvRow, Rejection } from '../../../kernel/base/csv/read-csv.ts';

const CALENDAR = /^\uFEFF?\s*BEGIN:VCALENDAR/i;
const YEAR_MS = 366 * 86_400_000;

/** Names of the columns, as a schedule has them. */
const HEADING = ['Event ID', 'Title', 'Date', 'Start time', 'Duration', 'Location'] as const;

export interface CalendarTable {
  readonly heading: readonly string[];
  readonly rows: readonly CsvRow[];
  /** entries that are no events, and parts that can't be read */
  readonly rejected: readonly Rejection[];
}

export const isCalendar = (bytes: Buffer): boolean => CALENDAR.test(bytes.subarray(0, 200).toString('utf-8'));

/** @throws Problem that says what is wrong with the file */
export async function readCalendarTable(bytes: Buffer, { zone, now }: BusinessClock): Promise<CalendarTable> {
  const calendar = await readCalendar({ text: bytes.toString('utf-8'), zone, from: now, to: now + YEAR_MS }).catch(
    (error: unknown) => {
      throw error instanceof UnreadableCalendar ? invalid('file', error.message) : error;
    },
  );
  const [rows, rejected]: [CsvRow[], Rejection[]] = [[], []];
  let line = 1;
  for (const event of calendar.events.toSorted((a, b) => a.startsAt - b.startsAt)) {
    line++;
    const { date, time } = wallAt(event.startsAt, zone);
    const minutes = Math.round((event.endsAt - event.startsAt) / 60_000);
    const reason =
      event.status === 'CANC' ? 'is cancelled' : event.allDay ? 'lasts whole days, so it is no class' : null;
    if (reason !== null)
      rejected.push({ line, column: 'Title', value: shortened(`${event.title ?? ''} ${date}`.trim()), reason });
    else
      rows.push({
        line,
        cells: [event.id, event.title ?? '', date, time.slice(0, 5), String(minutes), event.location ?? ''],
      });
  }
  for (const reason of calendar.warnings)
    rejected.push({ line: ++line, column: '', value: '', reason: reason.replace(/\.$/, '') });
  // Without a location, the events are at the only venue.
  const width = rows.some(({ cells }) => cells[5] !== '') ? HEADING.length : HEADING.length - 1;
  return {
    heading: HEADING.slice(0, width),
    rows: rows.map((row) => ({ line: row.line, cells: row.cells.slice(0, width) })),
    rejected,
  };
}
