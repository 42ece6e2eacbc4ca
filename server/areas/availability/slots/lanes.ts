/**
 * Everything that is needed to find free times, read in three statements whatever the request, and combined: a *lane*
 * is one schedule at one venue, with its open times and the times that are taken.
 */
import { addDays, dayNumberOf, formatWall, startOfDay } from '../../../kernel/base/values/zone.ts';
import { subtractAll, isKept, keptFrom, travelling, usedBy } from './rules/starts.ts';
import { planAt, readHours, type Hours } from '../hours/index.ts';
import { plannedWindow, type PlannedFacts } from '../../scheduling/schedule/index.ts';
import { readBusy, type Busy, type BusyUse } from './read-busy.ts';
import { readOffer, travelTime, type Offering } from './read-offer.ts';
import { spansOf, type Spans } from '../../../kernel/base/values/intervals.ts';
import type { HoursFrom } from './rules/verdicts.ts';
import type { Period } from '../../../kernel/base/values/period.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The largest difference between the clocks of two zones. */
const ZONES_APART = 14 * HOUR;

export interface LanesAsked {
  readonly offeringType: number;
  /** undefined: all of them */
  readonly instructors?: readonly number[];
  readonly venues?: readonly number[];
  readonly rooms?: readonly number[];
  /** dates in the zone of each venue, inclusive */
  readonly from: string;
  readonly to: string;
  /** an event that is about to release its time */
  readonly without?: number;
}

export interface Lane {
  /** null: a lane of rooms */
  readonly instructor: number | null;
  readonly venue: number;
  readonly zone: string;
  /** one of them is used; null: none is needed */
  readonly rooms: readonly number[] | null;
  /** returns the source of the hours on a date */
  readonly hoursFrom: (date: string) => HoursFrom;
  /** ranges of opening hours, unmerged */
  readonly hours: readonly Period[];
  /** `hours` as a set of time */
  readonly open: Spans;
  readonly closed: Spans;
  readonly blocked: Spans;
  /**
   * `kept`: times at which other uses of the instructor prevent a booking; `travel`: times that are needed to get to or
   * from another venue
   */
  readonly kept: Spans;
  readonly travel: Spans;
  /** open, and free of everything but perhaps rooms */
  readonly free: Spans;
}

export interface Lanes {
  readonly asked: LanesAsked;
  readonly offering: Offering;
  readonly lanes: readonly Lane[];
  readonly busy: Busy;
  /** returns the times at which uses of a room prevent a booking */
  readonly roomKept: (room: number) => Spans;
  /** returns the number of an instructor's appointments on a date */
  readonly appointments: (instructor: number, date: string) => number;
  /** returns the limit for this number; null: unlimited */
  readonly limitOf: (instructor: number) => number | null;
}

export async function readLanes(work: Work, asked: LanesAsked): Promise<Lanes> {
  // Schedules, venues and the caller may all be in different zones.
  const around = { from: addDays(asked.from, -1), to: addDays(asked.to, 1) };
  const [offering, hours] = await Promise.all([
    readOffer(work, { ...asked, ...around }),
    readHours(work, { ...asked, ...around }),
  ]);
  const places = hours.flatMap((one) => placesOf(one, offering, asked).map((place) => ({ ...place, hours: one })));
  const instructors = unique(places.flatMap((p) => p.hours.instructor ?? []));
  const rooms = unique(places.flatMap((p) => p.rooms ?? [])).filter((id) => !offering.rooms.get(id)!.shared);
  const busy = await readBusy(work, { instructors, rooms, ...reach(offering, asked), without: asked.without });
  const kept = new Map(instructors.map((id) => [id, keptFrom(usedBy(busy.instructors.get(id) ?? []), offering.offer)]));
  const roomKept = remember((id: number) => keptFrom(usedBy(busy.rooms.get(id) ?? []), offering.offer));
  const travel = travelTime(offering);
  return {
    asked,
    offering,
    busy,
    roomKept,
    lanes: places.map((place) => {
      const uses = busy.instructors.get(place.hours.instructor ?? 0) ?? [];
      return laneOf(place, offering, around, {
        kept: kept.get(place.hours.instructor ?? 0) ?? [],
        travel: travelling(uses, place.venue, travel),
      });
    }),
    appointments: countOf(busy),
    limitOf: (instructor) =>
      offering.settings.instructor_limits.find((l) => l.instructor === instructor)?.daily_limit ??
      offering.settings.daily_limit,
  };
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b);

function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make(key)));
    return value;
  };
}

/**
 * Returns the time that may affect the dates: it allows for zones, for buffers around the new booking, and for travel.
 */
function reach({ offer, settings }: Offering, { from, to }: LanesAsked): { from: number; to: number } {
  const way = Math.max(settings.travel_minutes, 0, ...settings.travel_times.map((t) => t.minutes)) * 60_000;
  const margin = ZONES_APART + Math.max(offer.before, offer.after, way) + offer.duration;
  return { from: dayNumberOf(from) * DAY - margin, to: (dayNumberOf(to) + 1) * DAY + margin };
}

function countOf({ instructors }: Busy): Lanes['appointments'] {
  const counted = remember((id: number) => {
    const counts = new Map<string, number>();
    for (const { date } of instructors.get(id) ?? []) if (date !== null) counts.set(date, (counts.get(date) ?? 0) + 1);
    return counts;
  });
  return (instructor, date) => counted(instructor).get(date) ?? 0;
}

interface Place {
  readonly venue: number;
  readonly rooms: readonly number[] | null;
}

/** Returns the venues at which a schedule is used for the offering type, with the rooms. */
function placesOf(hours: Hours, offering: Offering, asked: LanesAsked): Place[] {
  const venues = venuesOf(hours, offering, asked).filter((id) => offering.venues.has(id));
  return venues.flatMap((venue): Place[] => {
    const rooms = roomsAt(venue, hours, offering);
    if (rooms === null) return asked.rooms ? [] : [{ venue, rooms }];
    const wanted = rooms.filter((id) => !asked.rooms || asked.rooms.includes(id));
    return wanted.length > 0 ? [{ venue, rooms: wanted }] : [];
  });
}

/** Hours without a venue apply to the default venue, unless the caller names others. */
function venuesOf(hours: Hours, { rooms, defaultVenue, venues }: Offering, asked: LanesAsked): number[] {
  if (hours.venue !== null) return [hours.venue];
  if (hours.rooms.length > 0) return unique(hours.rooms.flatMap((id) => rooms.get(id)?.venue ?? []));
  if (asked.venues) return [...asked.venues];
  return defaultVenue === null ? [...venues.keys()] : [defaultVenue];
}

/** Returns the rooms of a venue, one of which is used; null if none is needed. */
function roomsAt(venue: number, hours: Hours, offering: Offering): number[] | null {
  const here = (ids: Iterable<number>) => unique([...ids].filter((id) => offering.rooms.get(id)?.venue === venue));
  if (hours.rooms.length > 0) return here(hours.rooms);
  if (offering.kind === 'room_rental') return here(offering.rooms.keys());
  return venue === offering.defaultVenue && offering.defaultRooms.length > 0 ? here(offering.defaultRooms) : null;
}

function laneOf(
  { hours, venue, rooms }: Place & { hours: Hours },
  offering: Offering,
  { from, to }: { from: string; to: string },
  { kept, travel }: { kept: Spans; travel: Spans },
): Lane {
  const { zone, closed: dates } = offering.venues.get(venue)!;
  const there = planAt(hours, venue, from, to);
  const closed = spansOf(
    dates.map((date) => ({ start: startOfDay(date, zone), end: startOfDay(addDays(date, 1), zone) })),
  );
  return {
    instructor: hours.instructor,
    venue,
    zone,
    rooms,
    hoursFrom: (date) => (hours.invalid.has(date) ? 'not_valid' : hours.overrides.has(date) ? 'override' : 'weekly'),
    hours: there.hours,
    open: spansOf(there.hours),
    closed,
    blocked: there.blocked,
    kept,
    travel,
    free: subtractAll(there.open, closed, kept, travel),
  };
}

/** Returns the rooms of a lane that are free at a time, by id; `[null]` for a lane that needs none. */
export function roomsFree({ offering, roomKept }: Lanes, { rooms }: Lane, startsAt: number): (number | null)[] {
  if (rooms === null) return [null];
  return rooms.filter((id) => offering.rooms.get(id)!.shared || !isKept(roomKept(id), startsAt, offering.offer));
}

export const dateAt = (epochMs: number, zone: string): string => formatWall(epochMs, zone).slice(0, 10);

/** Bounds between which a start may be, for somebody who asks now. */
export interface Bounds {
  /** the first start that respects the minimum notice, epoch milliseconds */
  readonly notBefore: number;
  /** `notBefore` by the settings alone, and by the booking window */
  readonly notice: number;
  readonly closes: number;
  /** the last start that is not too far ahead; by the settings, and by the window */
  readonly notAfter: number;
  readonly horizon: number;
  readonly opens: number;
}

const NO_BOUNDS_MET: Bounds = {
  notBefore: Infinity,
  notice: 0,
  closes: Infinity,
  notAfter: -Infinity,
  horizon: 0,
  opens: 0,
};

/**
 * Returns the bounds of starts. The window has the same distance from every start on one day. Staff are bound by
 * nothing but the clock.
 */
export function findStartBounds(
  { offering: { facts, settings } }: Pick<Lanes, 'offering'>,
  who: PlannedFacts['who'],
  { now, byStaff }: { now: number; byStaff: boolean },
): Bounds {
  if (byStaff)
    return { notBefore: now + 1, notice: now, closes: now, notAfter: Infinity, horizon: Infinity, opens: Infinity };
  const window = plannedWindow(facts, who, now);
  if (!window) return NO_BOUNDS_MET;
  const notice = now + settings.minimum_notice * 60_000;
  const closes = now + (now - window.closesAt);
  const horizon = now + settings.horizon_days * DAY;
  // Without an interval, the window has always been open.
  const opened = Math.max(window.opensAt, window.calendarOpensAt);
  const opens = opened <= 0 ? Infinity : now + (now - opened);
  return {
    notBefore: Math.max(notice, closes + 1, now + 1),
    notice,
    closes,
    notAfter: Math.min(horizon, opens),
    horizon,
    opens,
  };
}

export type { BusyUse };
