/**
 * Expands a calendar from its iCalendar text (RFC 5545): every time that one of its events takes place within a window.
 * Runs in a thread of its own (`read-thread.ts`), because the text is untrusted.
 */
import ICAL from 'ical.js';
import { addDays, startOfDay } from '../../../../kernel/base/values/zone.ts';
import { ALONE, mend } from './mend.ts';
import { dateOf, dayMeant, floatingAt, ianaZone, instantOf, isUnknownZone, tzidOf } from './times.ts';
import { spansOf } from '../../../../kernel/base/values/intervals.ts';
import { timesOf } from './repetition.ts';
import { Unreadable, type Asked, type OutsideCalendar, type OutsideEvent } from './outside-calendar.ts';

type Component = InstanceType<typeof ICAL.Component>;
type Recur = InstanceType<typeof ICAL.Recur>;
type Time = InstanceType<typeof ICAL.Time>;

const MAX_EVENTS = 5000;
/** Times of one event; if there are more, adjacent ones are merged. */
const MAX_PER_EVENT = MAX_EVENTS;
/** Repetitions that are examined, of one event and of all events. */
const MAX_STEPS_PER_EVENT = 10_000;
const MAX_STEPS = 100_000;
const MAX_WARNINGS = 20;

const NO_CALENDAR = 'The address doesn’t return a calendar in the iCalendar format (.ics).';
const BAD_FORMAT = 'The calendar has mistakes in its format, so it can’t be read.';
const DAY_MS = 86_400_000;

export function readCalendar({ text, zone, from, to }: Asked): OutsideCalendar {
  const { calendars, warnings } = parse(text);
  const [first] = calendars;
  const timezone = zoneOf(first);
  const window = { from, to, zone: timezone ?? zone, steps: MAX_STEPS };
  const said = new Set([...unknownZones(calendars, window.zone), ...warnings]);
  const found = new Map<string, OutsideEvent>();
  for (const group of byUid(calendars).values())
    for (const events of apart(group, said))
      for (const event of timesOfOne(events, window, said)) {
        // Entries without a UID, or with the same one, are told apart by their start.
        const other = found.get(event.id);
        const id =
          other === undefined || other.startsAt === event.startsAt
            ? event.id
            : `${event.id}/${new Date(event.startsAt).toISOString()}`;
        found.set(id, { ...event, id });
      }
  const events = [...found.values()];
  if (events.length > MAX_EVENTS) {
    events.sort((a, b) => a.startsAt - b.startsAt);
    said.add(
      `The calendar has more than ${MAX_EVENTS} events in the coming year. Only the first ${MAX_EVENTS} were read.`,
    );
  }
  return {
    name: textOf(first, 'x-wr-calname', 256),
    timezone,
    events: events.slice(0, MAX_EVENTS),
    warnings: atMost([...said]),
  };
}

const atMost = (all: readonly string[]): string[] => [
  ...all.slice(0, MAX_WARNINGS).map((warning) => warning.slice(0, 300).toWellFormed()),
  ...(all.length > MAX_WARNINGS ? [`There are ${all.length - MAX_WARNINGS} more.`] : []),
];

function parse(text: string): { calendars: Component[]; warnings: readonly string[] } {
  const whole = text.replace(/^\uFEFF/, '').trim();
  if (!/^BEGIN:VCALENDAR\b/i.test(whole)) throw new Unreadable(NO_CALENDAR);
  if (!/\nEND:VCALENDAR$/i.test(whole)) throw new Unreadable('Only a part of the calendar arrived.');
  const mended = mend(whole, (line) => ICAL.parse.property(line));
  let jcal: unknown[];
  try {
    jcal = ICAL.parse(mended.text);
  } catch {
    throw new Unreadable(BAD_FORMAT);
  }
  const all = (typeof jcal[0] === 'string' ? [jcal] : jcal) as any[];
  return { calendars: all.map((one) => new ICAL.Component(one)), warnings: mended.warnings };
}

/** Returns warnings about times in unknown zones. */
function unknownZones(calendars: readonly Component[], zone: string): string[] {
  const names = new Set<string>();
  for (const calendar of calendars) {
    const said = calendar.getFirstPropertyValue('x-wr-timezone');
    if (said && ianaZone(String(said)) === null) names.add(String(said));
    for (const event of calendar.getAllSubcomponents('vevent'))
      for (const property of event.getAllProperties()) if (isUnknownZone(property)) names.add(tzidOf(property)!);
  }
  return [...names].map(
    (name) => `Nobody knows the time zone “${name.slice(0, 60)}”. Its times are read by the clock of ${zone}.`,
  );
}

function zoneOf(calendar: Component): string | null {
  const said = calendar.getFirstPropertyValue('x-wr-timezone');
  const defined = calendar.getAllSubcomponents('vtimezone');
  const only = defined.length === 1 ? defined[0].getFirstPropertyValue('tzid') : null;
  return ianaZone(said === null ? null : String(said)) ?? ianaZone(only === null ? null : String(only));
}

/** Groups events by UID: the one that repeats, and the ones that replace one of its repetitions. */
function byUid(calendars: readonly Component[]): Map<string, Component[]> {
  const events = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
  return Map.groupBy(
    events.filter((event) => event.getFirstPropertyValue('dtstart') instanceof ICAL.Time),
    (event, n) =>
      event.hasProperty(ALONE.toLowerCase()) ? `alone-${n}` : (textOf(event, 'uid', 900) ?? `without-uid-${n}`),
  );
}

/**
 * Divides entries with one UID into events. Of several versions, the last counts; entries of the same version are
 * different events whose program made a mistake, and each counts.
 */
function apart(group: readonly Component[], said: Set<string>): readonly (readonly Component[])[] {
  const masters = group.filter((event) => !event.hasProperty('recurrence-id'));
  const version = Math.max(...masters.map((event) => numberOf(event, 'sequence')));
  const current = masters.filter((event) => numberOf(event, 'sequence') === version);
  const starts = new Map(current.map((event) => [String(event.getFirstPropertyValue('dtstart')), event]));
  const [first, ...others] = starts.values();
  if (others.length === 0) return [group];
  said.add(`${titleOf(first)}: ${others.length + 1} entries have the same UID, and each counts.`);
  const without = new Set(masters);
  return [[first, ...group.filter((event) => !without.has(event))], ...others.map((event) => [event])];
}

/** Returns the times of one event. If it repeats so often that they can't all be kept, adjacent times are merged. */
function timesOfOne(events: readonly Component[], window: Window, said: Set<string>): OutsideEvent[] {
  const of = titleOf(events[0]);
  try {
    const all = [...occurrences(events, window, said)];
    if (all.length <= MAX_PER_EVENT) return all;
    const spans = spansOf(all.filter((one) => one.busy).map(({ startsAt: start, endsAt: end }) => ({ start, end })));
    if (spans.length > MAX_PER_EVENT) throw new TooOften();
    said.add(`${of}: it repeats so often that its times were put together.`);
    return spans.map(({ start, end }) => ({ ...all[0], id: idOf(events[0], start), startsAt: start, endsAt: end }));
  } catch (error) {
    said.add(
      error instanceof TooOften
        ? `${of}: it repeats too often to be read, and was left out.`
        : `${of}: it can’t be read, and was left out.`,
    );
    return [];
  }
}

class TooOften extends Error {}

const titleOf = (event: Component): string => {
  const title = textOf(event, 'summary', 60);
  return title === null ? 'An entry' : `“${title}”`;
};

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

function* occurrences(events: readonly Component[], window: Window, said: Set<string>): Generator<OutsideEvent> {
  const newestLast = events.toSorted((a, b) => numberOf(a, 'sequence') - numberOf(b, 'sequence'));
  const master = newestLast.findLast((event) => !event.hasProperty('recurrence-id'));
  const overrides = new Map<number, Override>();
  for (const event of newestLast) {
    const property = event.getFirstProperty('recurrence-id');
    const value = property?.getFirstValue();
    if (property && value instanceof ICAL.Time) {
      const at = plannedFor(value, tzidOf(property), master, window);
      overrides.set(at, { event, at });
    }
  }
  // From there on, every repetition is like this one.
  const onward = [...overrides.values()]
    .filter(({ event }) => event.getFirstProperty('recurrence-id')!.getParameter('range') === 'THISANDFUTURE')
    .toSorted((a, b) => a.at - b.at);
  if (master) {
    for (const { at, length } of startsOf(master, window, said)) {
      if (overrides.has(at)) continue;
      const changed = onward.findLast((override) => override.at <= at);
      const shown = changed
        ? eventAt(changed.event, startOf(changed.event, window) + at - changed.at, window)
        : eventAt(master, at, window, length);
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

/**
 * Returns the time of the repetition that a RECURRENCE-ID names. Programs write days for events that have times, and
 * times for whole days.
 */
function plannedFor(value: Time, tzid: string | null, master: Component | undefined, { zone }: Window): number {
  const property = master?.getFirstProperty('dtstart');
  const start = property?.getFirstValue() as Time | undefined;
  if (!property || !start || start.isDate === value.isDate) return instantOf(value, tzid, zone);
  if (start.isDate) return startOfDay(dayMeant(value, tzid, zone), zone);
  const time = start.clone();
  time.year = value.year;
  time.month = value.month;
  time.day = value.day;
  return instantOf(time, tzidOf(property), zone);
}

interface Start {
  readonly at: number;
  /** duration of times that were added with a length of their own */
  readonly length?: number;
}

/** Yields the starts of an event up to the end of the window, without excluded times. */
function* startsOf(event: Component, window: Window, said: Set<string>): Generator<Start> {
  const property = event.getFirstProperty('dtstart')!;
  const start = property.getFirstValue() as Time;
  const tzid = tzidOf(property);
  if (!repeats(event)) {
    yield { at: instantOf(start, tzid, window.zone) };
    return;
  }
  const out = takenOut(event, start, window);
  const seen = new Set<number>();
  let steps = MAX_STEPS_PER_EVENT;
  for (const { time, in: zone = tzid, end } of repetitions(event, start, { window, said })) {
    if (--steps < 0 || --window.steps < 0) throw new TooOften();
    const at = instantOf(time, zone, window.zone);
    if (at >= window.to || seen.has(at) || out.has(at) || out.has(dateOf(time))) continue;
    seen.add(at);
    yield { at, ...(end && { length: instantOf(end, zone, window.zone) - at }) };
  }
}

interface Repetition {
  readonly time: Time;
  /** TZID, if it differs from that of the event */
  readonly in?: string | null;
  readonly end?: Time;
}

/** Yields the first time, the times of each rule around the window, and the added times. */
function* repetitions(
  event: Component,
  start: Time,
  { window, said }: { window: Window; said: Set<string> },
): Generator<Repetition> {
  yield { time: start };
  const zone = ianaZone(tzidOf(event.getFirstProperty('dtstart')!)) ?? window.zone;
  const startsAt = instantOf(start, null, zone);
  const length = Math.max(endOf(event, start, startsAt, zone) - startsAt, 0);
  // Local clocks differ from each other by a day at most.
  const around = { from: window.from - length - 2 * DAY_MS, to: window.to + 2 * DAY_MS };
  for (const property of event.getAllProperties('rrule')) {
    try {
      for (const time of timesOf(property.getFirstValue() as Recur, { start, zone, ...around })) yield { time };
    } catch (error) {
      if (/iterations|candidate/i.test(String(error))) throw new TooOften();
      said.add(`${titleOf(event)}: its repetition can’t be read, so only its first time counts.`);
    }
  }
  for (const property of event.getAllProperties('rdate')) {
    const tzid = tzidOf(property);
    for (const value of property.getValues() as unknown[]) {
      if (value instanceof ICAL.Time) yield { time: value, in: tzid };
      else if (value instanceof ICAL.Period) yield { time: value.start, in: tzid, end: value.getEnd() };
    }
  }
}

/** Returns the excluded times: instants, and whole days of an event that has times. */
function takenOut(event: Component, start: Time, { zone }: Window): Set<number | string> {
  const out = new Set<number | string>();
  for (const property of event.getAllProperties('exdate')) {
    const tzid = tzidOf(property);
    for (const value of property.getValues() as unknown[]) {
      if (!(value instanceof ICAL.Time)) continue;
      if (value.isDate || start.isDate) out.add(dayMeant(value, tzid, zone));
      else out.add(instantOf(value, tzid, zone));
    }
  }
  return out;
}

/** Returns one occurrence of an event; null if it is outside of the window or has no duration. */
function eventAt(
  event: Component,
  startsAt: number,
  { from, to, zone }: Omit<Window, 'steps'>,
  length?: number,
): Omit<OutsideEvent, 'id'> | null {
  const property = event.getFirstProperty('dtstart')!;
  const start = property.getFirstValue() as Time;
  const whole = length === undefined ? endOf(event, start, startsAt, zone) : startsAt + length;
  if (!Number.isFinite(startsAt) || !Number.isFinite(whole)) throw new RangeError('The times are no times.');
  // The database supports fewer years than a duration can span.
  const endsAt = Math.min(whole, LATEST);
  if (startsAt < EARLIEST) return eventAt(event, EARLIEST, { from, to, zone }, endsAt - EARLIEST);
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

/**
 * Returns the end of an event. Whole days end at midnight, however long the days are; all other events last equally
 * long each time.
 */
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

/** Bounds of stored instants: the years 1 to 9999. */
const EARLIEST = Date.parse('0001-01-02T00:00:00Z');
const LATEST = Date.parse('9999-12-30T00:00:00Z');

const utcOf = (time: Time): number => Date.UTC(time.year, time.month - 1, time.day);

/** Returns the day that begins at an instant. */
const dayOf = (startsAt: number, zone: string): string => dateOf(floatingAt(startsAt, zone));

function momentOf(event: Component, name: string, zone: string): number | null {
  const value = event.getFirstPropertyValue(name);
  const at = value instanceof ICAL.Time ? instantOf(value, null, zone) : Number.NaN;
  return at >= EARLIEST && at <= LATEST ? at : null;
}

const numberOf = (event: Component, name: string): number => Number(event.getFirstPropertyValue(name)) || 0;

function textOf(component: Component, name: string, most: number): string | null {
  const value = component.getFirstPropertyValue(name);
  const text = value === null || value === undefined ? '' : String(value);
  // The library leaves escapes in properties that it doesn't know.
  const plain = name.startsWith('x-') ? text.replaceAll(/\\([\\,;nN])/g, (_, c) => (/n/i.test(c) ? '\n' : c)) : text;
  return plain.replaceAll('\u0000', '').toWellFormed().trim().slice(0, most).toWellFormed() || null;
}
