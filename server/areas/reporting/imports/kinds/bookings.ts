/** Bookings of future events. They were paid elsewhere, so nothing pays for them here. */
import { customersOf } from './people.ts';
import {
  isIssue,
  issueOf,
  rejected,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcome,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { instantAt, timesIn } from './times.ts';
import { eventIdElsewhere } from './event-id.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { joinWaitlist, register } from '../../../scheduling/schedule/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

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
    const state = stateIn(portion, 'status', row);
    const refused =
      state === 'left_out' || state === null
        ? issueOf(status, row, state === null ? 'has no known meaning' : 'is not booked any more')
        : isIssue(customer)
          ? customer
          : null;
    const event = refused ?? findEvent(row);
    if (!isIssue(event)) return [{ row, customer: customer as number, event, waits: state === 'waiting' }];
    outcomes.set(row.line, rejected(event));
    return [];
  });
  // In the order of ids, as always when several events are locked.
  for (const [event, all] of [...Map.groupBy(wanted, (one) => one.event)].toSorted(([a], [b]) => a - b)) {
    const booked = all.filter(({ waits }) => !waits);
    const made = await register(
      work.tx,
      booked.map(({ customer }) => ({ work, customer, comped: true, named: null })),
      { event, commit: false },
    );
    for (const [i, { row }] of booked.entries()) {
      const one = made[i];
      if (one instanceof Problem)
        outcomes.set(row.line, rejected({ column: '', value: '', reason: sentence(one.message) }));
      else if (one instanceof Error) throw one;
      else outcomes.set(row.line, { fate: one.made ? 'created' : 'unchanged', object: one.attendance, issues: [] });
    }
    // After those who are booked, in the order of the file: a waitlist begins once there are no free places.
    for (const { row, customer } of all.filter(({ waits }) => waits))
      outcomes.set(row.line, await waiting(portion, { event, customer }));
  }
  return outcomes;
};

/** Adds a customer to the waitlist. They never get a place, even if one is free. */
async function waiting({ work }: Portion, { event, customer }: { event: number; customer: number }): Promise<Outcome> {
  const place = () =>
    work.tx.one<{ id: number; waits: boolean }>(sql`SELECT a.id, EXISTS (SELECT FROM waitlist_spot s
        WHERE s.provider_id = a.provider_id AND s.event_id = a.event_id AND s.customer_id = a.customer_id
          AND s.ended_at IS NULL) AS waits
      FROM attendance a
      WHERE a.provider_id = ${work.providerId} AND a.event_id = ${event} AND a.customer_id = ${customer}`);
  const before = await place();
  if (before?.waits) return { fate: 'unchanged', object: before.id, issues: [] };
  try {
    await work.tx.attempt(() => joinWaitlist(work, event, customer, true));
    return { fate: 'created', object: (await place())!.id, issues: [] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return rejected({
      column: '',
      value: '',
      reason: `waits, but can’t join the waitlist: ${sentence(error.message)}`,
    });
  }
}

const sentence = (text: string): string => text.replace(/\.$/, '');

/** Finds the event of a row: by its external id, or by its start time and name. */
async function eventsOf(portion: Portion): Promise<(row: CsvRow) => number | Issue> {
  const { work, rows, source } = portion;
  const { tx, providerId, now } = work;
  const at = (property: string) => templateOf(portion, property);
  const [idColumn, start, name] = [at('event_external_id'), at('start_date'), at('event')];
  const startOf = (row: CsvRow): number | Issue | null => {
    const times = timesIn(portion, row);
    return times === null || isIssue(times) ? times : instantAt(portion, times);
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
