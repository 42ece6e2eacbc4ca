/**
 * Books the dates of a recurring reservation, by the schedule's own rules. The caller has locked the row of the
 * reservation; everything that its dates need is locked after it, in the documented order.
 */
import { counts, timesLeft } from './rules/standing.ts';
import { recurringReservationFeed } from './feed.ts';
import { eventDates } from './event-dates.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { slotDates } from './slot-dates.ts';
import { writeDates, type DateResult, type ReservationRow } from './rows.ts';
import type { Supply } from './supply.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Kept {
  readonly date: string;
  readonly outcome: DateResult['outcome'];
  /** null: the date has no event */
  readonly status: 'active' | 'cancelled' | null;
  readonly opens_at: number | null;
}

export interface Booked {
  /** in date order */
  readonly dates: readonly DateResult[];
  /** number of times that are used up, and the last of their dates */
  readonly taken: number;
  readonly lastDate: string | null;
  /**
   * epoch milliseconds of the moment at which booking opens for the next date that waits for it, or further dates come
   * within reach
   */
  readonly opensNext: number | null;
  /** some dates were not tried, because there are too many for one transaction */
  readonly more: boolean;
}

/** Books the dates. `retry`: dates that could not be booked before are tried again. */
export async function bookDates(work: Work, row: ReservationRow, { retry = false } = {}): Promise<Booked> {
  const { tx, providerId } = work;
  // Booking has opened for them in the meantime, so they are treated like any other date.
  await tx.run(sql`DELETE FROM recurring_reservation_date
    WHERE provider_id = ${providerId} AND recurring_reservation_id = ${row.id}
    AND outcome = 'opens_later' AND opens_at <= ${instant(work.now)}`);
  const mayBook = (taken: number) => timesLeft({ times: row.times, taken });
  const { kept, supply } = await (row.by_slot ? ofSlots(work, row, { retry, mayBook }) : ofEvents(work, row, retry));
  const used = usedBy(row, kept);
  const dates: DateResult[] = [];
  for (const { book } of supply.dates) {
    if (mayBook(used.length) === 0) break;
    const result = await book();
    if (!result) continue;
    dates.push(result);
    if (counts(result.outcome, 'active')) used.push(result.date);
  }
  await writeDates(work, row, dates);
  for (const one of dates) tell(work, row, one);
  const waits = [...kept.map((one) => one.opens_at), ...dates.map((one) => one.opensAt), supply.nextAt];
  const ahead = waits.filter((at) => at !== null);
  return {
    dates,
    taken: used.length,
    lastDate: used.toSorted().at(-1) ?? null,
    opensNext: ahead.length > 0 ? Math.min(...ahead) : null,
    more: supply.more && mayBook(used.length) > 0,
  };
}

interface Found {
  readonly kept: readonly Kept[];
  readonly supply: Supply;
}

/** Decisions are read after the events are locked: events may have been cancelled until then. */
async function ofEvents(work: Work, row: ReservationRow, retry: boolean): Promise<Found> {
  const supply = await eventDates(work, row, retry);
  return { supply, kept: await keptDates(work, row.id) };
}

async function ofSlots(
  work: Work,
  row: ReservationRow,
  { retry, mayBook }: { retry: boolean; mayBook: (taken: number) => number },
): Promise<Found> {
  const kept = await keptDates(work, row.id);
  const stay = kept.filter(({ outcome }) => !(retry && outcome === 'unavailable'));
  const decided = new Set(stay.map(({ date }) => date));
  return { kept, supply: await slotDates(work, row, { decided, left: mayBook(usedBy(row, kept).length) }) };
}

/** The event of a free time ends with its booking, so a cancelled event says nothing about the date. */
const usedBy = ({ by_slot }: ReservationRow, kept: readonly Kept[]): string[] =>
  kept
    .filter(({ outcome, status }) => counts(outcome, by_slot ? 'active' : (status ?? 'active')))
    .map(({ date }) => date);

const keptDates = ({ tx, providerId }: Work, reservation: number): Promise<Kept[]> =>
  tx.rows<Kept & Record<string, unknown>>(sql`
    SELECT d.local_date AS date, d.outcome, e.status, d.opens_at FROM recurring_reservation_date d
      LEFT JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
    WHERE d.provider_id = ${providerId} AND d.recurring_reservation_id = ${reservation} ORDER BY d.local_date`);

function tell(work: Work, { id, customer_id: customer }: ReservationRow, one: DateResult): void {
  const { event, date } = one;
  const reasons = one.reasons.map(({ code }) => code);
  if (one.outcome === 'unavailable') {
    work.record(recurringReservationFeed.date_unavailable, id, {
      recurring_reservation: id,
      customer,
      event,
      date,
      reasons,
    });
    work.effect('date_unavailable', 'event', event, { customer, date, reasons });
  }
  if (one.outcome === 'opens_later')
    work.effect('date_opens_later', 'event', event, {
      customer,
      date,
      registrations_open_at: instant(one.opensAt),
    });
}
