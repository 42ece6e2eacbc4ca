/**
 * Keeps a recurring reservation up to date: books what it can, notifies the customer, and ends it when no date can
 * follow.
 */
import { addDays } from '../../../kernel/base/values/date.ts';
import { bookDates, type Booked } from './book-dates.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { giveBack, notIn } from './give-back.ts';
import { notRestored } from './problems.ts';
import { isOver } from './rules/standing.ts';
import { lockReservation, type ReservationRow } from './rows.ts';
import { recurringReservationFeed } from './feed.ts';
import { startOfDay, wallAt } from '../../../kernel/base/values/zone.ts';
import { notifyBooked, notifyUnavailable } from './notices.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const BOOK_TASK = 'book_recurring_reservation';

/**
 * Enqueues another run, now or at a given time: an event for it was created, or booking opens. The later request wins.
 */
export const lookAgain = (work: Work, reservation: number, runAt = work.now): void =>
  work.enqueue({ task: BOOK_TASK, payload: { reservation }, key: `recurring_reservation:${reservation}`, runAt });

/** Books within a request and confirms everything with one message. */
export async function bookNow(work: Work, row: ReservationRow, options: { retry?: boolean } = {}): Promise<Booked> {
  const booked = await bookDates(work, row, options);
  await notifyBooked(work, row, booked.dates);
  // Events created in the meantime could not take it into account. The same job also determines when it has to run
  // next.
  lookAgain(work, row.id);
  return booked;
}

/** A booking that did not come back with its event. */
interface Lost {
  readonly event: number;
  readonly reason: string;
  /** for staff */
  readonly because: string;
}

/** Enqueues a run that lists a date whose booking did not come back with its event, and continues from there. */
export const lookAfter = (work: Work, reservation: number, lost: Lost): void =>
  work.enqueue({
    task: BOOK_TASK,
    payload: { reservation, lost },
    key: `recurring_reservation:${reservation}:${lost.event}`,
  });

async function keepBooking(work: Work, { reservation, lost }: { reservation: number; lost?: Lost }): Promise<void> {
  const row = await lockReservation(work, reservation);
  if (!row || row.status === 'ended') return;
  if (await isDeleted(work, row.customer_id)) return endReservation(work, row, 'customer_deleted');
  if (lost) await listLost(work, row, lost);
  // There may be more dates than its times, because an event came back whose date another one had replaced. Nobody
  // asked for these cancellations, so none is late.
  if (row.times !== null) await giveBack(work, row, notIn(row), { dryRun: false, forget: true, inTime: true });
  const booked = await bookDates(work, row);
  const missed = booked.dates.filter(({ outcome }) => outcome === 'unavailable');
  const rest = booked.dates.filter((one) => !missed.includes(one));
  if (rest.some(({ outcome }) => outcome !== 'opens_later')) await notifyBooked(work, row, rest);
  if (missed.length > 0) await notifyUnavailable(work, row, missed);
  const zone = await zoneOf(work, row);
  const extent = { endDate: row.end_date, times: row.times, taken: booked.taken, lastDate: booked.lastDate };
  if (isOver({ ...extent, today: wallAt(work.now, zone).date })) return endReservation(work, row, 'completed');
  const next = nextLook(work, row, booked, zone);
  if (next !== null) lookAgain(work, row.id, next);
}

const listLost = ({ tx, providerId, now, tenant }: Work, { id }: ReservationRow, { event, reason, because }: Lost) =>
  tx.run(sql`UPDATE recurring_reservation_date
    SET outcome = 'unavailable', reasons = ${JSON.stringify([notRestored(reason, because, tenant.words)])}::jsonb,
      updated_at = ${instant(now)}
    WHERE provider_id = ${providerId} AND recurring_reservation_id = ${id} AND event_id = ${event}
      AND outcome = 'booked'`);

/** Returns the time of the next run in epoch milliseconds; null if only a new event triggers one. */
function nextLook(work: Work, { end_date, times }: ReservationRow, booked: Booked, zone: string): number | null {
  if (booked.more) return work.now;
  const last = times !== null && booked.taken >= times ? booked.lastDate : null;
  const over = [end_date, last].filter((day) => day !== null).map((day) => startOfDay(addDays(day, 1), zone));
  const all = [...over, ...(booked.opensNext === null ? [] : [booked.opensNext])];
  return all.length > 0 ? Math.max(work.now + 1000, Math.min(...all)) : null;
}

async function isDeleted({ tx, providerId }: Work, customer: number): Promise<boolean> {
  const row = await tx.one<{ gone: boolean }>(
    sql`SELECT deleted_at IS NOT NULL AS gone FROM customer WHERE provider_id = ${providerId} AND id = ${customer}`,
  );
  return row?.gone ?? true;
}

export async function zoneOf(
  { tx, providerId }: Work,
  { venue_id }: Pick<ReservationRow, 'venue_id'>,
): Promise<string> {
  const row = await tx.one<{ timezone: string }>(
    sql`SELECT timezone FROM venue WHERE provider_id = ${providerId} AND id = ${venue_id}`,
  );
  return row!.timezone;
}

/** Ends the reservation: it books nothing more. Existing bookings are left to the caller. */
export async function endReservation(
  work: Work,
  row: ReservationRow,
  reason: 'requested' | 'completed' | 'customer_deleted',
): Promise<void> {
  work.touch('recurring_reservation', row.id, row);
  const values = { status: 'ended', ended_at: instant(work.now), end_reason: reason };
  await updateRow(work, 'recurring_reservation', row.id, values);
  work.record(recurringReservationFeed.ended, row.id, {
    recurring_reservation: row.id,
    customer: row.customer_id,
    reason,
  });
  work.effect('reservation_ended', 'recurring_reservation', row.id, { reason });
}

export const bookJob: Job = { task: BOOK_TASK, run: keepBooking };
