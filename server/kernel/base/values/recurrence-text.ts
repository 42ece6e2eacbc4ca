/**
 * The text of a recurrence: RRULE of RFC 5545, for whole days. Every refusal names the part and says what to send
 * instead.
 */
import { localMs, localText } from './wall.ts';

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/**
 * `weekday` is ISO (1 is Monday); `ordinal` counts within the month or year, from its end if negative; null: every such
 * weekday.
 */
export type ByDay = { weekday: number; ordinal: number | null };

/**
 * The last possible start, inclusive; `wall` in the schedule's zone, or in UTC if `utc`. A plain date means its last
 * second.
 */
export type Until = { wall: string; utc: boolean };

/** A validated rule; plain data. Empty lists mean the part is absent; `count` and `until` are never both set. */
export type Recurrence = {
  frequency: Frequency;
  interval: number;
  byDay: ByDay[];
  byMonthDay: number[];
  byMonth: number[];
  weekStart: number;
  count: number | null;
  until: Until | null;
};

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const LONGEST_TEXT = 500;
const LARGEST_INTERVAL = 1000;
const LARGEST_COUNT = 10_000;

/** Thrown and caught in this file only: a refusal unwinds from any depth and becomes `{ error }`. */
class Refusal extends Error {}

function refuse(message: string): never {
  throw new Refusal(message);
}

/** Reads an RRULE, with or without the `RRULE:` prefix; `{ error }` is a sentence for the caller. */
export function parseRecurrence(rrule: string): Recurrence | { error: string } {
  try {
    return read(partsOf(rrule));
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message };
    throw error;
  }
}

type Parts = Map<string, string>;

function partsOf(rrule: string): Parts {
  if (rrule.length > LONGEST_TEXT)
    refuse(`A recurrence rule has at most ${LONGEST_TEXT} characters; this one has ${rrule.length}.`);
  const parts: Parts = new Map();
  for (const part of rrule
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '')
    .split(';')) {
    const [, name, value] =
      /^([A-Z-]+)=(.+)$/.exec(part) ??
      refuse(`"${part}" is not a part of a rule; write NAME=VALUE, parts separated by ";".`);
    if (!READ_PARTS.has(name)) refuse(unknownPart(name));
    if (parts.has(name)) refuse(`${name} is given twice; give it once, with a comma-separated list if need be.`);
    parts.set(name, value);
  }
  return parts;
}

const READ_PARTS = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST', 'COUNT', 'UNTIL']);
const REMEDIES: Record<string, string> = {
  BYHOUR: 'the time of day comes from the start; make a schedule for each time',
  BYMINUTE: 'the time of day comes from the start; make a schedule for each time',
  BYSECOND: 'the time of day comes from the start',
  BYSETPOS: 'use BYDAY with an ordinal, such as BYDAY=-1FR for the last Friday',
  BYWEEKNO: 'use FREQ=WEEKLY with INTERVAL, or BYMONTH',
  BYYEARDAY: 'use BYMONTH with BYMONTHDAY',
  DTSTART: 'the start is a field of its own',
};

function unknownPart(name: string): string {
  return `${name} is not supported; ${REMEDIES[name] ?? `the parts are ${[...READ_PARTS].join(', ')}`}.`;
}

function read(parts: Parts): Recurrence {
  const rule: Recurrence = {
    frequency: readFrequency(parts.get('FREQ')),
    interval: readSize(parts, 'INTERVAL', LARGEST_INTERVAL) ?? 1,
    byDay: readByDay(parts.get('BYDAY')),
    byMonthDay: readNumbers(parts, 'BYMONTHDAY', 31, true),
    byMonth: readNumbers(parts, 'BYMONTH', 12, false),
    weekStart: readWeekStart(parts.get('WKST')),
    count: readSize(parts, 'COUNT', LARGEST_COUNT),
    until: readUntil(parts.get('UNTIL')),
  };
  checkTogether(rule);
  return rule;
}

function readFrequency(value: string | undefined): Frequency {
  if (value === undefined) refuse(`FREQ is missing; send one of ${FREQUENCIES.join(', ')}.`);
  if (!FREQUENCIES.includes(value)) refuse(`FREQ=${value} is not supported; send one of ${FREQUENCIES.join(', ')}.`);
  return value as Frequency;
}

function readSize(parts: Parts, name: string, most: number): number | null {
  const value = parts.get(name);
  if (value === undefined) return null;
  const size = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (size < 1 || size > most) refuse(`${name}=${value} is not usable; send a whole number from 1 to ${most}.`);
  return size;
}

function readNumbers(parts: Parts, name: string, most: number, negatives: boolean): number[] {
  const value = parts.get(name);
  if (value === undefined) return [];
  const numbers = value.split(',').map((text) => {
    const number = /^[+-]?\d{1,2}$/.test(text) ? Number(text) : 0;
    if (number === 0 || Math.abs(number) > most || (number < 0 && !negatives)) {
      refuse(
        `${name}=${text} is not usable; send 1 to ${most}${negatives ? `, or -1 to -${most} to count from the end` : ''}.`,
      );
    }
    return number;
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

function readByDay(value: string | undefined): ByDay[] {
  if (value === undefined) return [];
  const days = [...new Set(value.split(','))].map((text) => {
    const match = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text);
    const ordinal = match?.[1] === undefined ? null : Number(match[1]);
    if (match === null || ordinal === 0 || Math.abs(ordinal ?? 1) > 53) {
      refuse(
        `BYDAY=${text} is not usable; send ${WEEKDAYS.join(', ')}, with an ordinal such as 2TU or -1FR if need be.`,
      );
    }
    return { weekday: WEEKDAYS.indexOf(match[2]) + 1, ordinal };
  });
  return days.toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0) || a.weekday - b.weekday);
}

function readWeekStart(value: string | undefined): number {
  if (value !== undefined && !WEEKDAYS.includes(value))
    refuse(`WKST=${value} is not a weekday; send one of ${WEEKDAYS.join(', ')}.`);
  return value === undefined ? 1 : WEEKDAYS.indexOf(value) + 1;
}

function readUntil(value: string | undefined): Until | null {
  if (value === undefined) return null;
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(value);
  const [, year, month, day, hour, minute, second, utc] = match ?? [];
  const local = match && localMs(+year, +month, +day, +(hour ?? 23), +(minute ?? 59), +(second ?? 59));
  if (local === null)
    refuse(
      `UNTIL=${value} is not usable; send an existing date or time as 20260630, 20260630T180000 or 20260630T220000Z.`,
    );
  return { wall: localText(local), utc: utc === 'Z' };
}

function checkTogether(rule: Recurrence): void {
  const { frequency, byDay, byMonthDay, byMonth } = rule;
  const ordinals = byDay.flatMap(({ ordinal }) => ordinal ?? []);
  if (rule.count !== null && rule.until !== null) refuse('COUNT and UNTIL are both given; send one of them.');
  if (ordinals.length > 0 && (frequency === 'DAILY' || frequency === 'WEEKLY')) {
    refuse(`BYDAY with an ordinal needs FREQ=MONTHLY or FREQ=YEARLY; with FREQ=${frequency} send plain weekdays.`);
  }
  const withinMonth = frequency === 'MONTHLY' || byMonth.length > 0 || byMonthDay.length > 0;
  if (withinMonth && ordinals.some((ordinal) => Math.abs(ordinal) > 5)) {
    refuse('BYDAY has an ordinal above 5; no month has so many weeks, send 1 to 5 or -1 to -5.');
  }
  if (frequency === 'WEEKLY' && byMonthDay.length > 0)
    refuse('BYMONTHDAY cannot go with FREQ=WEEKLY; use FREQ=MONTHLY, or BYDAY.');
}

/** Returns the rule as RRULE text, without `RRULE:`; `parseRecurrence` reads it back as the same rule. */
export function formatRecurrence(rule: Recurrence): string {
  const weekdays = rule.byDay.map(({ weekday, ordinal }) => `${ordinal ?? ''}${WEEKDAYS[weekday - 1]}`);
  const parts = [
    `FREQ=${rule.frequency}`,
    rule.interval > 1 && `INTERVAL=${rule.interval}`,
    rule.byMonth.length > 0 && `BYMONTH=${rule.byMonth.join(',')}`,
    rule.byMonthDay.length > 0 && `BYMONTHDAY=${rule.byMonthDay.join(',')}`,
    weekdays.length > 0 && `BYDAY=${weekdays.join(',')}`,
    rule.weekStart !== 1 && `WKST=${WEEKDAYS[rule.weekStart - 1]}`,
    rule.count !== null && `COUNT=${rule.count}`,
    rule.until !== null && `UNTIL=${rule.until.wall.replaceAll(/[-:]/g, '')}${rule.until.utc ? 'Z' : ''}`,
  ];
  return parts.filter(Boolean).join(';');
}
