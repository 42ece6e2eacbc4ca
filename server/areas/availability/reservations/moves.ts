/** Dates of an appointment or a rental that have a different time from the others: sent, checked and stored. */
import { daysBetween, weekdayOf } from '../../../kernel/base/values/date.ts';
import { dayText } from '../../../kernel/base/values/spoken-time.ts';
import { Issues } from '../../../kernel/base/problem.ts';
import { MAX_MOVED } from './rules/standing.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { WEEKDAYS } from './recurring-reservation.ts';
import type { MovedDate, ReservationRow } from './rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface AskedMove {
  readonly date: string;
  readonly local_starts_at: string;
  readonly instructor?: number | null;
  readonly venue_room?: number | null;
}

/** Returns them in stored form, ordered by date. */
export const toMovedDates = (asked: readonly AskedMove[]): MovedDate[] =>
  asked
    .map(({ date, local_starts_at, instructor = null, venue_room = null }) => ({
      date,
      local_starts_at,
      instructor,
      venue_room,
    }))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));

type Moving = Pick<
  ReservationRow,
  'by_slot' | 'venue_id' | 'venue_room_id' | 'weekday' | 'start_date' | 'end_date' | 'skipped_dates'
>;

/** Refuses rooms of other venues, and moves whose date is not in the reservation or too far from it. */
export async function checkMoves(work: Work, row: Moving, moves: readonly AskedMove[]): Promise<void> {
  const issues = new Issues();
  if (!row.by_slot && moves.length > 0)
    issues.add('moved_dates', 'Only for appointments and room rentals. Leave dates out with skipped_dates.');
  issues.throwIfAny();
  const seen = new Set<string>();
  for (const [n, { date, local_starts_at }] of moves.entries()) {
    const path = `moved_dates.${n}`;
    if (seen.has(date)) issues.add(`${path}.date`, 'This date is listed twice.');
    seen.add(date);
    if (weekdayOf(date) !== row.weekday)
      issues.add(
        `${path}.date`,
        `Must be a ${capital(WEEKDAYS[row.weekday - 1])}: the date as it would be without the move.`,
      );
    else if (date < row.start_date || (row.end_date !== null && date > row.end_date))
      issues.add(`${path}.date`, 'Must be a date of the recurring reservation, from its first day to its last.');
    else if (row.skipped_dates.includes(date)) issues.add(`${path}.date`, 'This date is left out by skipped_dates.');
    if (Math.abs(daysBetween(date, local_starts_at.slice(0, 10))) > MAX_MOVED)
      issues.add(`${path}.local_starts_at`, `Must be within ${MAX_MOVED} days of the date.`);
  }
  const rooms = [
    ['venue_room', row.venue_room_id] as const,
    ...moves.map(({ venue_room }, n) => [`moved_dates.${n}.venue_room`, venue_room ?? null] as const),
  ].filter(([, room]) => room !== null);
  const here = rooms.length === 0 ? new Set() : await roomsAt(work, row.venue_id);
  for (const [path, room] of rooms)
    if (!here.has(room)) issues.add(path, 'This room is not at the venue, or is archived.');
  issues.throwIfAny();
}

async function roomsAt({ tx, providerId }: Work, venue: number): Promise<Set<unknown>> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT id FROM venue_room WHERE provider_id = ${providerId} AND venue_id = ${venue} AND status = 'active'`,
  );
  return new Set(rows.map(({ id }) => id));
}

const capital = (word: string): string => word[0].toUpperCase() + word.slice(1);

const byDate = (moves: readonly MovedDate[]): Map<string, string> =>
  new Map(toMovedDates(moves).map((one) => [one.date, JSON.stringify(one)]));

/** Refuses to move dates that are booked already, and deletes the decisions about the others. */
export async function forgetMoved(work: Work, row: ReservationRow, after: readonly MovedDate[]): Promise<void> {
  const [was, is] = [byDate(row.moved_dates), byDate(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((date) => was.get(date) !== is.get(date));
  const [booked] = await work.tx.rows<{ date: string; starts_at: number; timezone: string; event: number }>(sql`
    SELECT d.local_date AS date, e.starts_at, e.timezone, e.id AS event FROM recurring_reservation_date d
      JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id AND e.status = 'active'
      JOIN attendance a ON a.provider_id = d.provider_id AND a.event_id = d.event_id
        AND a.customer_id = ${row.customer_id} AND a.status <> 'not_registered'
    WHERE d.provider_id = ${work.providerId} AND d.recurring_reservation_id = ${row.id}
      AND d.local_date = ANY(${changed}::date[])
    ORDER BY d.local_date LIMIT 1`);
  if (booked) {
    const issues = new Issues();
    const day = dayText(booked.starts_at, booked.timezone);
    issues.add('moved_dates', `${day} is booked. Move it with POST /events/${booked.event}/reschedule.`);
    issues.throwIfAny();
  }
  await work.tx.run(sql`DELETE FROM recurring_reservation_date
    WHERE provider_id = ${work.providerId} AND recurring_reservation_id = ${row.id}
      AND local_date = ANY(${changed}::date[])`);
}
