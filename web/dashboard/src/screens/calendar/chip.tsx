import { memo, type CSSProperties, type KeyboardEvent } from 'react';
import type { CalendarEvent } from './events.ts';
import type { Piece } from './placing.ts';
import { DAY } from './wall.ts';
import { timesOf } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';

const written = new Map<string, string>();

/**
 * Formats wall times as `6:30 – 7:30 PM`. The text depends only on the time of day, and a week has few different ones.
 */
export function timesOfWalls(from: number, to: number): string {
  const midnight = Math.floor(from / DAY) * DAY;
  if (to - midnight >= DAY) return timesOf(from * 60_000, to * 60_000, 'UTC');
  const key = `${from - midnight} ${to - midnight}`;
  let text = written.get(key);
  if (text === undefined)
    written.set(key, (text = timesOf((from - midnight) * 60_000, (to - midnight) * 60_000, 'UTC')));
  return text;
}

type Counts =
  | 'attending_count'
  | 'max_occupancy'
  | 'waiting_count'
  | 'online_attending_count'
  | 'online_max_occupancy'
  | 'online_waiting_count';

const waits = (n: number): string | false => n > 0 && words.say('waiting', { n });

/** Returns for example `8 of 12 booked, 2 waiting, 3 of 20 online`. */
export function bookedOf(event: Pick<CalendarEvent, Counts>): string {
  const { attending_count: n, max_occupancy: places, waiting_count: waiting } = event;
  const { online_attending_count: online, online_max_occupancy: most, online_waiting_count: waitOnline } = event;
  return [
    places === null ? words.say('booked', { n }) : words.say('booked.of', { n, places }),
    waits(waiting),
    most !== null && words.say('online.of', { n: online, places: most }),
    waits(waitOnline),
  ]
    .filter(Boolean)
    .join(', ');
}

const shortCounts = (n: number, places: number | null, waiting: number): string =>
  `${n}/${places ?? '∞'}${waiting > 0 ? ` +${waiting}` : ''}`;

/** Returns `8/12 +2`: booked, capacity, waitlist, and the same again for places online. For places with little room. */
function shortOf(event: CalendarEvent): string {
  const there = shortCounts(event.attending_count, event.max_occupancy, event.waiting_count);
  return event.online_max_occupancy === null
    ? there
    : `${there} · ${shortCounts(event.online_attending_count, event.online_max_occupancy, event.online_waiting_count)}`;
}

/** Returns room and instructors in one line. */
export const roomAndInstructors = ({ venue_room, instructors }: CalendarEvent): string =>
  [...instructors.map(({ name }) => name), venue_room?.name].filter(Boolean).join(' · ');

/** The content of an event in every view. `zone`: shown if it differs from that of the business */
export function ChipText({ event, times }: { readonly event: CalendarEvent; readonly times: string }) {
  const { timezone } = useBusiness();
  const where = roomAndInstructors(event);
  return (
    <>
      <span className="chip-name">{event.name}</span>{' '}
      <span className="chip-times">
        {times}
        {event.timezone === timezone ? null : ` ${event.timezone}`}
      </span>{' '}
      {event.status === 'cancelled' ? (
        <span className="chip-count tag wrong">{words.say('cancelled')}</span>
      ) : (
        <span className="chip-count">
          <span aria-hidden="true">{shortOf(event)}</span>
          <span className="unseen">{bookedOf(event)}</span>
        </span>
      )}{' '}
      {event.substitute_wanted ? <span className="chip-count tag wrong">{ofSubstitutes.say('wanted')}</span> : null}{' '}
      {where ? <span className="chip-more">{where}</span> : null}
    </>
  );
}

export interface ChipProps {
  readonly piece: Piece<CalendarEvent>;
  readonly column: string;
  readonly movable: boolean;
  readonly onOpen: (event: CalendarEvent) => void;
  readonly onKey: (press: KeyboardEvent, event: CalendarEvent, column: string) => void;
  /** id of the element that describes how events are moved by keyboard */
  readonly help: string;
}

/**
 * Returns true if a piece has not changed. All pieces of a column are created again when one of them moves: those that
 * are equal don't render again.
 */
const isSame = ({ piece: a, ...before }: ChipProps, { piece: b, ...now }: ChipProps): boolean =>
  areEqual(a, b) && areEqual(before, now);

function areEqual<T extends object>(a: T, b: T): boolean {
  for (const name in a) if (!Object.is(a[name], b[name])) return false;
  return true;
}

export const Chip = memo(function Chip({ piece, column, movable, onOpen, onKey, help }: ChipProps) {
  const { event, top, bottom, lane, wide, lanes, moved, from, to } = piece;
  const where = {
    '--top': top,
    '--long': bottom - top,
    '--lane': lane,
    '--wide': wide,
    '--lanes': lanes,
    '--accent': event.offering_type?.background_color ?? 'var(--brand)',
  } as CSSProperties;
  const kind = [event.status === 'cancelled' && 'cancelled', event.is_full && 'full', moved && 'moved'];
  return (
    <li style={where} className={['chip-at', ...kind.filter(Boolean)].join(' ')}>
      <button
        type="button"
        className={movable ? 'chip movable' : 'chip'}
        data-event={event.id}
        data-of={column}
        aria-describedby={movable ? help : undefined}
        onClick={() => onOpen(event)}
        onKeyDown={(press) => onKey(press, event, column)}
      >
        <ChipText event={event} times={timesOfWalls(from, to)} />
      </button>
    </li>
  );
}, isSame);
