/** Copies the events of a week into another one. Copying twice creates nothing twice. */
import { DAY, parseWall, textOf } from './wall.ts';
import { daysApart } from './range.ts';
import type { CalendarEvent, More } from './events.ts';

export interface Copy {
  readonly of: CalendarEvent;
  /** body of the request */
  readonly body: {
    readonly name: string;
    readonly offering_type: number;
    readonly venue: number;
    readonly venue_room: number | null;
    readonly instructors: readonly number[];
    readonly max_occupancy: number | null;
    readonly waitlist_max_override: number | null;
    readonly online_venue?: number;
    readonly online_max_occupancy?: number | null;
    readonly starts_at: string;
    readonly ends_at: string;
    readonly external_id: string;
  };
  /** Id of an identical event in the target week: then nothing is copied. */
  readonly there: number | null;
}

/** Returns the external id of the copy of an event on a date: the interface accepts each external id only once. */
export const externalIdOf = (event: number, date: string): string => `copy-${event}-${date}`;

/** Returns true if both have the same offering, place and time, or the same series. */
const isSame = (a: CalendarEvent, b: CalendarEvent, by: number): boolean =>
  b.status === 'active' &&
  a.offering_type?.id === b.offering_type?.id &&
  a.venue?.id === b.venue?.id &&
  (a.venue_room?.id ?? null) === (b.venue_room?.id ?? null) &&
  a.from + by === b.from;

const isOfSeries = (a: CalendarEvent, b: CalendarEvent, by: number): boolean =>
  a.series !== null && a.series === b.series && Math.floor((a.from + by) / DAY) === Math.floor(b.from / DAY);

/**
 * Returns the copies of active events, for a week that begins on `to` instead of `from`. Appointments and courses are
 * created in other ways, and are skipped.
 */
export function copiesOf(
  events: readonly CalendarEvent[],
  there: readonly CalendarEvent[],
  { from, to }: { readonly from: string; readonly to: string },
  more: ReadonlyMap<number, More>,
): Copy[] {
  const by = daysApart(from, to) * DAY;
  const begin = parseWall(from)!;
  return events
    .filter(
      (event) =>
        event.status === 'active' &&
        event.schedule_type === 'class' &&
        event.from >= begin &&
        event.from < begin + 7 * DAY &&
        event.offering_type !== null &&
        event.venue !== null,
    )
    .map((event) => {
      const starts = textOf(event.from + by);
      const call = more.get(event.id)?.online_venue ?? null;
      return {
        of: event,
        body: {
          name: event.name,
          offering_type: event.offering_type!.id,
          venue: event.venue!.id,
          venue_room: event.venue_room?.id ?? null,
          instructors: event.instructors.map(({ id }) => id),
          max_occupancy: event.max_occupancy,
          waitlist_max_override: more.get(event.id)?.waitlist_max_override ?? null,
          ...(call !== null && { online_venue: call, online_max_occupancy: event.online_max_occupancy }),
          starts_at: starts,
          ends_at: textOf(event.to + by),
          external_id: externalIdOf(event.id, starts.slice(0, 10)),
        },
        there: there.find((other) => isSame(event, other, by) || isOfSeries(event, other, by))?.id ?? null,
      };
    });
}

/** Returns the results of `act` for each, in order, with at most `width` at a time. */
export async function inTurn<A, B>(
  all: readonly A[],
  width: number,
  act: (one: A, i: number) => Promise<B>,
): Promise<B[]> {
  const given: B[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < all.length) {
      const i = next++;
      given[i] = await act(all[i], i);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, all.length) }, run));
  return given;
}
