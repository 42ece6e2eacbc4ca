/**
 * The placement of events on the board: the part of an event that each column shows, and the target of an event that is
 * being moved.
 */
import { DAY, instantOf, parseWall } from './wall.ts';
import { layOut, type Place } from './layout.ts';

export const STEP = 15;
/** A shorter event is drawn at this length, to be readable and easy to hit. */
const MIN_DRAWN = 30;

/** Wall times of the venue, see `wall.ts`. */
export interface Timed {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** An event that is being moved or resized, and is not saved yet. */
export interface Moved extends Timed {
  /** keys of the old and the new column, if columns are rooms or instructors; null: it stays in its column */
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
  /** wall times of the whole event, as displayed */
  readonly from: number;
  readonly to: number;
  /** in minutes of the day */
  readonly top: number;
  readonly bottom: number;
  readonly moved: boolean;
}

/** Returns the pieces of the events that a column shows. */
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
    // An event that ends at midnight does not extend into the next day.
    if (top >= DAY || bottom <= 0) continue;
    found.push({
      event,
      from,
      to,
      top,
      bottom: Math.min(Math.max(bottom, top + MIN_DRAWN), DAY),
      moved: change !== null,
    });
  }
  const places = layOut(found.map(({ top, bottom }) => ({ from: top, to: bottom })));
  return found.map((piece, i) => ({ ...piece, ...places[i] }));
}

/** Returns the maximum number of events next to each other. */
export const countLanes = (pieces: readonly Place[]): number => Math.max(1, ...pieces.map(({ lanes }) => lanes));

export const snap = (minutes: number): number => Math.round(minutes / STEP) * STEP;

/** Shifts an event by minutes of wall time. */
export const shiftedBy = <M extends Timed>(moved: M, minutes: number): M => ({
  ...moved,
  from: moved.from + minutes,
  to: moved.to + minutes,
});

/** Moves the end, but keeps a length of at least one step. */
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
 * Returns the new times for the interface. An event that is moved keeps its elapsed duration: a clock change makes it
 * neither longer nor shorter. Unchanged times are left out.
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
