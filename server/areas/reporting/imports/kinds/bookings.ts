/** Bookings of future events. They were paid elsewhere, so nothing pays for them here. */
import { customersOf } from './people.ts';
import {
  dateIn,
  isIssue,
  issueOf,
  rejected,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { dayWithin, timeWithin } from './rules/moment.ts';
import { eventIdElsewhere } from './event-id.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { instantOfWall } from '../../../../kernel/base/values/zone.ts';
import { readTimeOfDay, register } from '../../../scheduling/schedule/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

const CANCELLED = /cancel|declin|refund|no.?show|absent|storniert|annul/i;

interface EventRow {
  readonly id: number;
  readonly external_id: string | null;
  readonly name: string;
  /** epoch milliseconds */
  readonly starts_at: number;
}

export const writeBookings: WriteRows = async (portion) => {
  const { work, rows } = portion;
  const outcomes: Outcomes = new Map();
  const customers = await customersOf(portion);
  const findEvent = await eventsOf(portion);
  const wanted = rows.flatMap((row) => {
    const status = templateOf(portion, 'status');
    const customer = customers.get(row.line)!;
    const refused = CANCELLED.test(textIn(status, row) ?? '')
      ? issueOf(status, row, 'is not booked any more')
      : isIssue(customer)
        ? customer
        : null;
    const event = refused ?? findEvent(row);
    if (!isIssue(event)) return [{ row, customer: customer as number, event }];
    outcomes.set(row.line, rejected(event));
    return [];
  });
  // In the order of ids, as always when several events are locked.
  for (const [event, all] of [...Map.groupBy(wanted, (one) => one.event)].toSorted(([a], [b]) => a - b)) {
    const made = await register(
      work.tx,
      all.map(({ customer }) => ({ work, customer, comped: true, named: null })),
      { event, commit: false },
    );
    for (const [i, { row }] of all.entries()) {
      const one = made[i];
      if (one instanceof Problem)
        outcomes.set(row.line, rejected({ column: '', value: '', reason: sentence(one.message) }));
      else if (one instanceof Error) throw one;
      else outcomes.set(row.line, { fate: one.made ? 'created' : 'unchanged', object: one.attendance, issues: [] });
    }
  }
  return outcomes;
};

const sentence = (text: string): string => text.replace(/\.$/, '');

/** Finds the event of a row: by its external id, or by its start time and name. */
async function eventsOf(portion: Portion): Promise<(row: CsvRow) => number | Issue> {
  const { work, rows, source } = portion;
  const { tx, providerId, now, tenant } = work;
  const at = (property: string) => templateOf(portion, property);
  const [idColumn, start, time, name] = [at('event_external_id'), at('start_date'), at('start_time'), at('event')];
  const startOf = (row: CsvRow): number | Issue | null => {
    const text = textIn(start, row);
    if (!start || text === null) return null;
    const day = dateIn(portion, { ...start, fill: () => dayWithin(text) }, row);
    if (isIssue(day) || day === null) return day;
    const given = textIn(time, row) ?? timeWithin(text);
    const minutes = given === null ? null : readTimeOfDay(given);
    if (minutes === null) return issueOf(time ?? start, row, 'is not a time of day');
    const clock = [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');
    return instantOfWall(`${day}T${clock}:00`, tenant.zone);
  };
  const idOf = (row: CsvRow): string | null => {
    const text = textIn(idColumn, row);
    return text === null ? null : eventIdElsewhere(source, text);
  };
  const starts = rows.flatMap((row) => {
    const found = startOf(row);
    return typeof found === 'number' ? [found] : [];
  });
  const events = await tx.rows<EventRow & Record<string, unknown>>(
    sql`SELECT id, external_id, name, starts_at FROM event WHERE provider_id = ${providerId} AND status <> 'cancelled'
          AND (external_id = ANY(${rows.flatMap((row) => idOf(row) ?? [])}::text[])
            OR starts_at = ANY(${starts.map(instant)}::timestamptz[]))`,
  );
  const byId = new Map(events.flatMap((event) => (event.external_id === null ? [] : [[event.external_id, event]])));
  const byStart = Map.groupBy(events, (event) => event.starts_at);
  return (row) => {
    const known = byId.get(idOf(row) ?? '');
    const found = known ?? named(row);
    if (isIssue(found)) return found;
    return found.starts_at > now
      ? found.id
      : issueOf(start ?? idColumn, row, 'is in the past: only bookings to come are imported');
  };

  function named(row: CsvRow): EventRow | Issue {
    const at_ = startOf(row);
    if (isIssue(at_)) return at_;
    const text = textIn(name, row)?.toLowerCase() ?? null;
    const then = (at_ === null ? [] : (byStart.get(at_) ?? [])).filter(
      (event) => text === null || event.name.toLowerCase() === text,
    );
    if (then.length === 1) return then[0];
    const reason = then.length > 1 ? 'is the time of several events' : 'is no event here: import the schedule first';
    return issueOf(at_ === null ? (idColumn ?? start) : start, row, reason);
  }
}
