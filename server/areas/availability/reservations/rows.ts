/** Stored rows of recurring reservations. */
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import type { Problem } from '../../../kernel/base/problem.ts';
import type { Words } from '../../../kernel/base/values/words.ts';
import type { Outcome } from './rules/standing.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type ReservationRow = Row<'recurring_reservation', { readonly moved_dates: readonly MovedDate[] }>;

/** A date that has a different time from the others. */
export interface MovedDate {
  readonly date: string;
  /** `YYYY-MM-DDTHH:MM:SS` */
  readonly local_starts_at: string;
  /** ids; null: those of the reservation */
  readonly instructor: number | null;
  readonly venue_room: number | null;
}

/** A stored refusal: its code for programs, and the text for each side. */
export interface StoredProblem {
  readonly code: string;
  readonly staff: string;
  readonly customer: string;
  /** the text of `customer` for somebody else, who may read another language; not stored */
  readonly localized?: (words: Words) => string;
}

/** Returns the text for customers, for now and for other readers. */
export const localizedText = (words: Words, localized: (words: Words) => string) => ({
  customer: localized(words),
  localized,
});

export const localizeProblem = ({ tenant }: Pick<Work, 'tenant'>, problem: Problem): StoredProblem => ({
  code: problem.code,
  staff: problem.message,
  ...localizedText(tenant.words, (words) => problem.localizedFor('customer', words).message),
});

/** The outcome of one date. */
export interface DateResult {
  /** as planned; the event may have been moved */
  readonly date: string;
  /** null: the date is for a free time, and was not booked */
  readonly event: number | null;
  /** epoch milliseconds */
  readonly startsAt: number;
  readonly zone: string;
  readonly outcome: Outcome;
  /** epoch milliseconds; only for `opens_later` */
  readonly opensAt: number | null;
  readonly reasons: readonly StoredProblem[];
}

/**
 * Locks a reservation, before events, customers and everything that pays. Every change of a reservation happens under
 * the lock of its row.
 */
export async function lockReservation(work: Work, id: number): Promise<ReservationRow | undefined> {
  const [row] = await lockRows<ReservationRow>(work, 'recurring_reservation', [id], 'UPDATE');
  return row;
}

/**
 * Selects the day on which event `e` is one of the dates of reservation `r`: the day planned by its series, if the
 * reservation follows one. Not for free times.
 */
export const dayOf = (e: string, r: string): Sql =>
  raw(`(CASE WHEN ${r}.follows_series THEN ${e}.series_local_starts_at ELSE ${e}.local_starts_at END)::date`);

/** Event `e` is one that reservation `r` is for, upcoming or not. */
export const isOneOf = (e: string, r: string): Sql =>
  sql`
    (${appliesTo(e, r)}
      OR (${raw(r)}.by_slot AND EXISTS (SELECT FROM recurring_reservation_date d
        WHERE d.provider_id = ${raw(r)}.provider_id
    AND d.recurring_reservation_id = ${raw(r)}.id AND d.event_id = ${raw(e)}.id)))`;

/** Event `e` is one that reservation `r` is for, and `r` books existing events, not free times. */
export const appliesTo = (e: string, r: string): Sql =>
  raw(`(${e}.provider_id = ${r}.provider_id AND NOT ${r}.by_slot
    AND CASE WHEN ${r}.follows_series
      THEN ${e}.series_id IN (SELECT s.event_series_id FROM recurring_reservation_series s
        WHERE s.provider_id = ${r}.provider_id AND s.recurring_reservation_id = ${r}.id)
      ELSE ${e}.offering_type_id = ${r}.offering_type_id AND ${e}.venue_id = ${r}.venue_id
        AND ${e}.local_starts_at::time = ${r}.local_time END
    AND (${r}.instructor_id IS NULL OR EXISTS
      (SELECT FROM event_instructor ei WHERE ei.provider_id = ${e}.provider_id AND ei.event_id = ${e}.id
          AND ei.instructor_id = ${r}.instructor_id))
    AND date_part('isodow', ${dayOf(e, r).texts[0]}) = ${r}.weekday
    AND ${dayOf(e, r).texts[0]} BETWEEN ${r}.start_date AND coalesce(${r}.end_date, 'infinity')
    AND ${dayOf(e, r).texts[0]} <> ALL(${r}.skipped_dates))`);

/** Writes the outcomes of dates, replacing the previous ones. */
export async function writeDates(
  work: Work,
  { id: reservation, by_slot }: ReservationRow,
  dates: readonly DateResult[],
): Promise<void> {
  if (dates.length === 0) return;
  const now = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO recurring_reservation_date (provider_id, recurring_reservation_id, local_date, event_id, starts_at,
      outcome, opens_at, reasons, created_at, updated_at)
    SELECT ${work.providerId}::bigint, ${reservation}::bigint, d.local_date, d.event_id,
      CASE WHEN ${by_slot}::boolean THEN d.starts_at END, d.outcome, d.opens_at, d.reasons, ${now}::timestamptz,
      ${now}::timestamptz
    FROM unnest(${dates.map((d) => d.date)}::date[], ${dates.map((d) => d.event)}::bigint[],
      ${dates.map((d) => instant(d.startsAt))}::timestamptz[], ${dates.map((d) => d.outcome)}::text[],
      ${dates.map((d) => instant(d.opensAt))}::timestamptz[],
      ${dates.map((d) => JSON.stringify(d.reasons))}::jsonb[]) AS d
      (local_date, event_id, starts_at, outcome, opens_at, reasons)
    ORDER BY d.local_date
    ON CONFLICT (provider_id, recurring_reservation_id, local_date)
      DO UPDATE SET event_id = excluded.event_id, starts_at = excluded.starts_at, outcome = excluded.outcome,
        opens_at = excluded.opens_at, reasons = excluded.reasons, updated_at = excluded.updated_at`);
}
