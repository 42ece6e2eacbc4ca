/**
 * What a calendar says, from its iCalendar text (RFC 5545): every time that one of its events takes place within a
 * window. It runs in a thread of its own (`read-thread.ts`), because the text may come from anybody.
 */
import ICAL from 'ical.js';
import { addDays, startOfDay } from '../../../../kernel/values/zone.ts';
import { dateOf, floatingAt, ianaZone, instantOf, tzidOf } from './times.ts';
import { timesOf } from './repetition.ts';

type Component = InstanceType<typeof ICAL.Component>;
type Recur = InstanceType<typeof ICAL.Recur>;
type Time = InstanceType<typeof ICAL.Time>;

export interface Asked {
  readonly text: string;
  /** of the business: for a calendar that names no zone of its own */
  readonly zone: string;
  /** epoch ms; what takes place between them is returned */
  readonly from: number;
  readonly to: number;
}

export interface OutsideEvent {
  /** the event, and the time that it was planned for if it is repeated */
  readonly id: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly allDay: boolean;
  readonly busy: boolean;
  readonly status: 'CONF' | 'TENT' | 'CANC' | 'UNKN';
  readonly visibility: 'DEFT' | 'PUBL' | 'PRIV' | 'UNKN';
  readonly title: string | null;
  readonly location: string | null;
  readonly timezone: string | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export interface OutsideCalendar {
  readonly name: string | null;
  readonly timezone: string | null;
  readonly events: readonly OutsideEvent[];
}

/** Why it can't be read, in words for the person who connected it. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

export const MOST_EVENTS = 5000;
/** Repetitions of all events that are looked at. */
const MOST_STEPS = 50_000;

const NO_CALENDAR = 'The address doesn’t return a calendar in the iCalendar format (.ics).';
const TOO_OFTEN = 'The calendar has an event that repeats too often to be read, for example every minute.';
const NO_RULE = 'The calendar has an event whose repetition can’t be read.';
const DAY_MS = 86_400_000;

export function readCalendar({ text, zone, from, to }: Asked): OutsideCalendar {
  const calendars = parse(text);
  const [first] = calendars;
  const timezone = zoneOf(first);
  const window = { from, to, zone: timezone ?? zone, steps: MOST_STEPS };
  const found = new Map<string, OutsideEvent>();
  for (const events of byUid(calendars).values()) {
    for (const event of occurrences(events, window)) {
      found.set(event.id, event);
      if (found.size > MOST_EVENTS)
        throw new Unreadable(`The calendar has more than ${MOST_EVENTS} events in the coming year.`);
    }
  }
  return { name: textOf(first, 'x-wr-calname', 256), timezone, events: [...found.values()] };
}

function parse(text: string): Component[] {
  const whole = text.replace(/^\uFEFF/, '').trim();
  if (!/^BEGIN:VCALENDAR\b/i.test(whole)) throw new Unreadable(NO_CALENDAR);
  if (!/\nEND:VCALENDAR$/i.test(whole)) throw new Unreadable('Only a part of the calendar arrived.');
  let jcal: unknown[];
  try {
    jcal = ICAL.parse(whole);
  } catch {
    throw new Unreadable('The calendar has mistakes in its format, so it can’t be read.');
  }
  const all = (typeof jcal[0] === 'string' ? [jcal] : jcal) as any[];
  return all.map((one) => new ICAL.Component(one));
}

function zoneOf(calendar: Component): string | null {
  const said = calendar.getFirstPropertyValue('x-wr-timezone');
  const defined = calendar.getAllSubcomponents('vtimezone');
  const only = defined.length === 1 ? defined[0].getFirstPropertyValue('tzid') : null;
  return ianaZone(said === null ? null : String(said)) ?? ianaZone(only === null ? null : String(only));
}

/** The events of each UID: the one that repeats, and those that stand in place of one of its repetitions. */
function byUid(calendars: readonly Component[]): Map<string, Component[]> {
  const events = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
  return Map.groupBy(
    events.filter((event) => event.getFirstPropertyValue('dtstart') instanceof ICAL.Time),
    (event, n) => textOf(event, 'uid', 900) ?? `without-uid-${n}`,
  );
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  steps: number;
}

interface Override {
  readonly event: Component;
  readonly at: number;
}

function* occurrences(events: readonly Component[], window: Window): Generator<OutsideEvent> {
  const newestLast = events.toSorted((a, b) => numberOf(a, 'sequence') - numberOf(b, 'sequence'));
  const overrides = new Map<number, Override>();
  for (const event of newestLast) {
    const property = event.getFirstProperty('recurrence-id');
    const value = property?.getFirstValue();
    if (property && value instanceof ICAL.Time) {
      const at = instantOf(value, tzidOf(property), window.zone);
      overrides.set(at, { event, at });
    }
  }
  const master = newestLast.findLast((event) => !event.hasProperty('recurrence-id'));
  // From there on, every repetition is as this one.
  const onward = [...overrides.values()]
    .filter(({ event }) => event.getFirstProperty('recurrence-id')!.getParameter('range') === 'THISANDFUTURE')
    .toSorted((a, b) => a.at - b.at);
  if (master) {
    for (const at of startsOf(master, window)) {
      if (overrides.has(at)) continue;
      const changed = onward.findLast((override) => override.at <= at);
      const shown = changed
        ? eventAt(changed.event, startOf(changed.event, window) + at - changed.at, window)
        : eventAt(master, at, window);
      if (shown) yield { ...shown, id: repeats(master) ? idOf(master, at) : idOf(master) };
    }
  }
  for (const { event, at } of overrides.values()) {
    const shown = eventAt(event, startOf(event, window), window);
    if (shown) yield { ...shown, id: idOf(event, at) };
  }
}

const repeats = (event: Component): boolean => event.hasProperty('rrule') || event.hasProperty('rdate');

const idOf = (event: Component, at?: number): string =>
  `${textOf(event, 'uid', 900) ?? 'event'}${at === undefined ? '' : `/${new Date(at).toISOString()}`}`;

function startOf(event: Component, { zone }: Window): number {
  const property = event.getFirstProperty('dtstart')!;
  return instantOf(property.getFirstValue() as Time, tzidOf(property), zone);
}

/** When it begins, each time before the end of the window; without the times that were taken out. */
function* startsOf(event: Component, window: Window): Generator<number> {
  const property = event.getFirstProperty('dtstart')!;
  const start = property.getFirstValue() as Time;
  const tzid = tzidOf(property);
  if (!repeats(event)) {
    yield instantOf(start, tzid, window.zone);
    return;
  }
  const out = takenOut(event, window);
  const seen = new Set<number>();
  for (const time of repetitions(event, start, window, ianaZone(tzid) ?? window.zone)) {
    if (--window.steps < 0) throw new Unreadable(TOO_OFTEN);
    const at = instantOf(time, tzid, window.zone);
    if (at >= window.to || seen.has(at) || out.has(at) || out.has(dateOf(time))) continue;
    seen.add(at);
    yield at;
  }
}

/** The first time, those of each rule around the window, and those that were added. */
function* repetitions(event: Component, start: Time, window: Window, zone: string): Generator<Time> {
  yield start;
  const startsAt = instantOf(start, null, zone);
  const length = Math.max(endOf(event, start, startsAt, zone) - startsAt, 0);
  // Clocks are a day ahead of or behind each other at most.
  const around = { from: window.from - length - 2 * DAY_MS, to: window.to + 2 * DAY_MS };
  for (const property of event.getAllProperties('rrule')) {
    try {
      yield* timesOf(property.getFirstValue() as Recur, { start, zone, ...around });
    } catch (error) {
      throw new Unreadable(/iterations|candidate/i.test(String(error)) ? TOO_OFTEN : NO_RULE);
    }
  }
  for (const property of event.getAllProperties('rdate')) {
    for (const value of property.getValues() as unknown[]) {
      if (value instanceof ICAL.Time) yield value;
      else if (value instanceof ICAL.Period) yield value.start;
    }
  }
}

/** Instants, and whole days of an event that has times. */
function takenOut(event: Component, { zone }: Window): Set<number | string> {
  const out = new Set<number | string>();
  for (const property of event.getAllProperties('exdate'))
    for (const value of property.getValues() as unknown[])
      if (value instanceof ICAL.Time) out.add(value.isDate ? dateOf(value) : instantOf(value, tzidOf(property), zone));
  return out;
}

/** One time that it takes place; null: outside of the window, or it takes no time. */
function eventAt(event: Component, startsAt: number, { from, to, zone }: Window): Omit<OutsideEvent, 'id'> | null {
  const property = event.getFirstProperty('dtstart')!;
  const start = property.getFirstValue() as Time;
  const endsAt = endOf(event, start, startsAt, zone);
  if (endsAt <= startsAt || endsAt <= from || startsAt >= to) return null;
  const status = STATUSES[textOf(event, 'status', 20)?.toUpperCase() ?? 'CONFIRMED'] ?? 'UNKN';
  const free =
    textOf(event, 'transp', 20)?.toUpperCase() === 'TRANSPARENT' ||
    textOf(event, 'x-microsoft-cdo-busystatus', 20)?.toUpperCase() === 'FREE';
  return {
    startsAt,
    endsAt,
    allDay: start.isDate,
    busy: !free && status !== 'CANC',
    status,
    visibility: VISIBILITIES[textOf(event, 'class', 20)?.toUpperCase() ?? ''] ?? 'DEFT',
    title: textOf(event, 'summary', 300),
    location: textOf(event, 'location', 300),
    timezone: start.isDate ? null : ianaZone(tzidOf(property)),
    createdAt: momentOf(event, 'created', zone),
    updatedAt: momentOf(event, 'last-modified', zone),
  };
}

const STATUSES: Readonly<Record<string, OutsideEvent['status']>> = {
  CONFIRMED: 'CONF',
  TENTATIVE: 'TENT',
  CANCELLED: 'CANC',
};

const VISIBILITIES: Readonly<Record<string, OutsideEvent['visibility']>> = {
  PUBLIC: 'PUBL',
  PRIVATE: 'PRIV',
  CONFIDENTIAL: 'PRIV',
};

/** Whole days end at midnight, however long the days are; anything else lasts as long each time. */
function endOf(event: Component, start: Time, startsAt: number, zone: string): number {
  const property = event.getFirstProperty('dtend');
  const end = property?.getFirstValue();
  const duration = event.getFirstPropertyValue('duration');
  if (start.isDate) {
    const days =
      end instanceof ICAL.Time
        ? Math.round((utcOf(end) - utcOf(start)) / DAY_MS)
        : duration instanceof ICAL.Duration
          ? Math.ceil(duration.toSeconds() / 86_400)
          : 1;
    return startOfDay(addDays(dayOf(startsAt, zone), Math.max(days, 1)), zone);
  }
  if (property && end instanceof ICAL.Time) {
    const first = event.getFirstProperty('dtstart')!;
    const length = instantOf(end, tzidOf(property), zone) - instantOf(start, tzidOf(first), zone);
    return startsAt + length;
  }
  return duration instanceof ICAL.Duration ? startsAt + duration.toSeconds() * 1000 : startsAt;
}

const utcOf = (time: Time): number => Date.UTC(time.year, time.month - 1, time.day);

/** The day that begins there. */
const dayOf = (startsAt: number, zone: string): string => dateOf(floatingAt(startsAt, zone));

function momentOf(event: Component, name: string, zone: string): number | null {
  const value = event.getFirstPropertyValue(name);
  return value instanceof ICAL.Time ? instantOf(value, null, zone) : null;
}

const numberOf = (event: Component, name: string): number => Number(event.getFirstPropertyValue(name)) || 0;

function textOf(component: Component, name: string, most: number): string | null {
  const value = component.getFirstPropertyValue(name);
  const text = value === null || value === undefined ? '' : String(value);
  // The library leaves the escapes of properties that it doesn't know.
  const plain = name.startsWith('x-') ? text.replaceAll(/\\([\\,;nN])/g, (_, c) => (/n/i.test(c) ? '\n' : c)) : text;
  return plain.replaceAll('\u0000', '').toWellFormed().trim().slice(0, most).toWellFormed() || null;
}
