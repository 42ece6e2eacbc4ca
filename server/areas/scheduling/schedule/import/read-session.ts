/** Reads a session from a row of a schedule file, or reports the cell that cannot be understood, and why. */
import { instantOfWall, isZone } from '../../../../kernel/base/values/zone.ts';
import { readDate } from '../../../../kernel/base/csv/read-date.ts';
import { readHourAndMinute, readTime, sessionSpan, span, type Span } from './rules/times.ts';
import type { CsvRow, Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import type { Template } from '../../../../kernel/base/csv/template.ts';
import type { CompiledMapping } from './mapping.ts';

export interface Named {
  readonly externalId: string;
  readonly name: string;
}

export interface Session extends Named {
  readonly line: number;
  readonly venue: Named;
  readonly category: Named | null;
  readonly offeringType: Named & { readonly minAge: number | null; readonly maxAge: number | null };
  /** undefined if the file does not state it */
  readonly maxOccupancy: number | null | undefined;
  readonly zone: string;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly note: string | null;
}

class Unreadable extends Error {
  readonly column: string;
  readonly value: string;
  constructor(column: string, value: string, reason: string) {
    super(reason);
    this.column = column;
    this.value = value;
  }
}

type Row = readonly string[];

export function readSession(mapping: CompiledMapping, { line, cells }: CsvRow): Session | Rejection {
  try {
    return sessionOf(mapping, line, cells);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { line, column: error.column, value: error.value, reason: error.message };
  }
}

function sessionOf(mapping: CompiledMapping, line: number, cells: Row): Session {
  const { venue, category, offeringType: type, event } = mapping;
  const { starts, ends, note } = spanOf(mapping, cells);
  const zone = textOf(mapping.timezone, cells, 100);
  if (!isZone(zone)) throw new Unreadable(mapping.timezone.column, zone, 'is not an IANA time zone');
  const [startsAt, endsAt] = [instantOfWall(starts, zone), instantOfWall(ends, zone)];
  if (endsAt <= startsAt)
    throw new Unreadable(mapping.starts.date.column, starts, 'falls into a clock change and would last no time');
  const offered = { $date: starts.slice(0, 10), $start: starts.slice(11, 16).replace(':', '') };
  const [minAge, maxAge] = [wholeOf(type.min_age, cells, 0, 150), wholeOf(type.max_age, cells, 0, 150)];
  if (minAge !== null && maxAge !== null && minAge > maxAge)
    throw new Unreadable(type.max_age!.column, String(maxAge), `is below the minimum age ${minAge}`);
  return {
    line,
    externalId: textOf(event.external_id, cells, 50, offered),
    name: textOf(event.name, cells, 200),
    venue: named(venue, cells, 200),
    category: category && category.name.fill(cells) !== null ? named(category, cells, 256) : null,
    offeringType: { ...named(type, cells, 256, { $ages: `${minAge ?? ''}-${maxAge ?? ''}` }), minAge, maxAge },
    maxOccupancy: event.max_occupancy && wholeOf(event.max_occupancy, cells, 1, 1_000_000),
    zone,
    startsAt,
    endsAt,
    note,
  };
}

const named = (
  of: { external_id: Template; name: Template },
  cells: Row,
  max: number,
  offered?: Record<string, string>,
): Named => ({
  externalId: textOf(of.external_id, cells, 700, offered),
  name: textOf(of.name, cells, max, offered),
});

function textOf(template: Template, cells: Row, max: number, offered?: Record<string, string>): string {
  const text = template.fill(cells, offered);
  if (text === null) throw new Unreadable(template.column, '', 'is empty');
  // Texts in the database can't contain NUL.
  if (text.includes('\0')) throw new Unreadable(template.column, text, 'contains an invalid character');
  if (text.length > max) throw new Unreadable(template.column, text, `is longer than ${max} characters`);
  return text;
}

function wholeOf(template: Template | undefined, cells: Row, min: number, max: number): number | null {
  const text = template?.fill(cells) ?? null;
  if (text === null) return null;
  const n = Number(text);
  if (!Number.isInteger(n) || n < min || n > max)
    throw new Unreadable(template!.column, text, `is not a whole number from ${min} to ${max}`);
  return n;
}

function spanOf({ starts, ends, dateFormat }: CompiledMapping, cells: Row): Span {
  const dateIn = (template: Template): string => {
    const text = textOf(template, cells, 40);
    const date = readDate(text, dateFormat);
    if (date === null)
      throw new Unreadable(template.column, text, `is not a date${dateFormat ? ` (${dateFormat})` : ''}`);
    return date;
  };
  const first = dateIn(starts.date);
  const start = minutesIn(starts, cells);
  if (ends.duration_minutes) {
    const minutes = wholeOf(ends.duration_minutes, cells, 1, 1440);
    if (minutes === null) throw new Unreadable(ends.duration_minutes.column, '', 'is empty');
    return span(first, start, minutes);
  }
  const last = ends.date && ends.date.fill(cells) !== null ? dateIn(ends.date) : first;
  const found = sessionSpan(first, start, last, minutesIn(ends, cells));
  if ('refused' in found) {
    const culprit = (ends.hour ?? ends.time)!;
    throw new Unreadable(culprit.column, culprit.fill(cells) ?? '', found.refused);
  }
  return found;
}

function minutesIn(of: { time?: Template; hour?: Template; minute?: Template }, cells: Row): number {
  const template = (of.time ?? of.hour)!;
  const text = textOf(template, cells, 20);
  const minute = of.minute?.fill(cells) ?? null;
  const minutes = of.time ? readTime(text) : readHourAndMinute(text, minute);
  if (minutes === null)
    throw new Unreadable(
      template.column,
      of.time || minute === null ? text : `${text}:${minute}`,
      'is not a time of day',
    );
  return minutes;
}
