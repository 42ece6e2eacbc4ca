/** The columns of the board: days, rooms, or instructors. */
import type { CalendarEvent } from './events.ts';
import type { Places } from '../../app/places.ts';
import type { ColumnSpan } from './placing.ts';
import { locale } from '../../words/language.ts';
import { longDayOf, dayOf } from '../../words/times.ts';
import { words } from './words.ts';

/** The new room or instructors of an event that is dropped into a column. */
export interface Put {
  readonly venue?: number;
  readonly venue_room?: number | null;
  readonly instructors?: readonly number[];
}

export interface Column extends ColumnSpan<CalendarEvent> {
  readonly title: string;
  readonly about?: string;
  /** for a column of a room or instructor: returns the change to an event that is dropped here from another column */
  readonly put?: (event: CalendarEvent, out: string | null) => Put;
  /** initial values of a new event */
  readonly begins: Put;
}

const midday = (date: string): string => `${date}T12:00Z`;

export const longDay = (date: string): string => longDayOf(midday(date), 'UTC');

/** Returns for example `November 22 – 28, 2026`. */
export const daysOf = (first: string, last: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    new Date(midday(first)),
    new Date(midday(last)),
  );

export const columnsOfDays = (dates: readonly string[]): Column[] =>
  dates.map((date) => ({
    key: date,
    date,
    title: dayOf(midday(date), 'UTC'),
    has: () => true,
    begins: {},
  }));

const isIn = (venue: number | null) => (one: { readonly venue: number }) => venue === null || one.venue === venue;

/** Returns a column for each room of one venue, or of all, and one for events without a room. */
export function columnsOfRooms(date: string, { rooms, venues }: Places, venue: number | null): Column[] {
  const nameOf = new Map(venues.map(({ id, name }) => [id, name]));
  const several = venue === null && venues.length > 1;
  return [
    ...rooms.filter(isIn(venue)).map((room): Column => {
      const put = { venue: room.venue, venue_room: room.id };
      return {
        key: `room ${room.id}`,
        date,
        title: room.name,
        about: several ? nameOf.get(room.venue) : undefined,
        has: (event) => event.venue_room?.id === room.id,
        put: () => put,
        begins: put,
      };
    }),
    {
      key: 'room none',
      date,
      title: words.say('room.none'),
      has: (event) => event.venue_room === null,
      put: () => ({ venue_room: null }),
      begins: venue === null ? {} : { venue },
    },
  ];
}

/** Returns the instructors of an event, without the one of a column. */
const idsOf = (event: CalendarEvent, out: string | null): number[] =>
  event.instructors.map(({ id }) => id).filter((id) => `instructor ${id}` !== out);

/** Instructors who teach on the day come first. */
export function columnsOfInstructors(
  date: string,
  { instructors }: Places,
  events: readonly CalendarEvent[],
  venue: number | null,
): Column[] {
  const teaching = new Set(events.flatMap((event) => event.instructors.map(({ id }) => id)));
  const inOrder = [
    ...instructors.filter(({ id }) => teaching.has(id)),
    ...instructors.filter(({ id }) => !teaching.has(id)),
  ];
  const begins = venue === null ? {} : { venue };
  return [
    ...inOrder.map(({ id, name }): Column => ({
      key: `instructor ${id}`,
      date,
      title: name,
      has: (event) => event.instructors.some((one) => one.id === id),
      put: (event, out) => ({ instructors: [...new Set([...idsOf(event, out), id])] }),
      begins: { ...begins, instructors: [id] },
    })),
    {
      key: 'instructor none',
      date,
      title: words.say('instructor.none'),
      has: (event) => event.instructors.length === 0,
      put: (event, out) => ({ instructors: idsOf(event, out) }),
      begins,
    },
  ];
}
