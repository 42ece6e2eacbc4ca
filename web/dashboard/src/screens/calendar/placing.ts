/** What stands where on the board: which part of an event a column shows, and where an event goes that is being moved. */
import { DAY, instantOf, parseWall } from './wall.ts';
import { layOut, type Place } from './layout.ts';

export const STEP = 15;
/** An event that is shorter is drawn as long as this, to be readable and easy to hit. */
const LEAST_DRAWN = 30;

/** Wall times of the venue, see `wall.ts`. */
export interface Timed {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** An event that is being moved or resized, and has not been saved. */
export interface Moved extends Timed {
  /** the column that it leaves and the one that it comes to, where columns are rooms or instructors; null: it stays */
  readonly out: string | null;
  readonly into: string | null;
}

export interface ColumnSpan<E> {
  readonly key: string;
  readonly date: string;
  readonly has: (event: E) => boolean;
}

export interface Piece<E> extends Place {
  readonly event: E;
  /** wall times of the whole event, as it is shown */
  readonly from: number;
  readonly to: number;
  /** minutes of the day */
  readonly top: number;
  readonly bottom: number;
  readonly moved: boolean;
}

/** What a column shows of the events. */
export function piecesOf<E extends Timed>(
  column: ColumnSpan<E>,
  events: readonly E[],
  moved: Moved | null,
): Piece<E>[] {
  const midnight = parseWall(column.date)!;
  const found: Omit<Piece<E>, keyof Place>[] = [];
  for (const event of events) {
    const change = moved?.id === event.id ? moved : null;
    const here = change
      ? (column.has(event) && column.key !== change.out) || column.key === change.into
      : column.has(event);
    if (!here) continue;
    const { from, to } = change ?? event;
    const top = Math.max(from - midnight, 0);
    const bottom = Math.min(to - midnight, DAY);
    // One that ends at midnight does not reach into the next day.
    if (top >= DAY || bottom <= 0) continue;
    found.push({
      event,
      from,
      to,
      top,
      bottom: Math.min(Math.max(bottom, top + LEAST_DRAWN), DAY),
      moved: change !== null,
    });
  }
  const places = layOut(found.map(({ top, bottom }) => ({ from: top, to: bottom })));
  return found.map((piece, i) => ({ ...piece, ...places[i] }));
}

/** How many events stand beside each other at most. */
export const lanesOf = (pieces: readonly Place[]): number => Math.max(1, ...pieces.map(({ lanes }) => lanes));

export const snap = (minutes: number): number => Math.round(minutes / STEP) * STEP;

/** Moves by minutes of the clock. */
export const shiftedBy = <M extends Timed>(moved: M, minutes: number): M => ({
  ...moved,
  from: moved.from + minutes,
  to: moved.to + minutes,
});

/** Ends earlier or later, and lasts one step at least. */
export const resizedBy = <M extends Timed>(moved: M, minutes: number): M => ({
  ...moved,
  to: Math.max(moved.to + minutes, moved.from + STEP),
});

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export interface Planned extends Timed {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly timezone: string;
}

/**
 * What the interface is sent of new times. An event that begins at another time lasts as long as before, by a stopwatch: a
 * clock change makes it neither longer nor shorter. What stays is left out.
 */
export function timesFor(
  event: Planned,
  { from, to }: Pick<Timed, 'from' | 'to'>,
): { starts_at?: string; ends_at?: string } {
  const resized = to - from !== event.to - event.from;
  if (from === event.from) return resized ? { ends_at: iso(instantOf(to, event.timezone)) } : {};
  const start = instantOf(from, event.timezone);
  const end = resized ? instantOf(to, event.timezone) : start + Date.parse(event.ends_at) - Date.parse(event.starts_at);
  return { starts_at: iso(start), ends_at: iso(end) };
}
