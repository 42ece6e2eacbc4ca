/** Mappings from the columns of a schedule file to values; the format is described in docs/guide/import.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { columnsOf, compileTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import { shapeProblems, type Rule } from '../../../../kernel/base/csv/shape.ts';
import { isZone } from '../../../../kernel/base/values/zone.ts';
import { DATE_FORMATS, type DateFormat } from '../../../../kernel/base/csv/read-date.ts';

export interface ScheduleMapping {
  description?: string;
  /** business that is created if there is none */
  business?: { name: string; timezone: string; currency: string; country: string };
  timezone: string;
  date_format?: DateFormat;
  /** texts of cells that count as empty */
  empty?: string[];
  venue: { external_id: string; name: string };
  category?: { external_id: string; name: string };
  offering_type: { external_id: string; name: string; min_age?: string; max_age?: string };
  event: { external_id: string; name: string; max_occupancy?: string };
  starts: { date: string; time?: string; hour?: string; minute?: string };
  ends: { date?: string; time?: string; hour?: string; minute?: string; duration_minutes?: string };
}

const named: Rule = { external_id: 'text', name: 'text' };

const RULES: { readonly [key: string]: Rule } = {
  description: 'optional text',
  business: { optional: { name: 'text', timezone: 'text', currency: 'text', country: 'text' } },
  timezone: 'text',
  date_format: 'optional text',
  empty: 'optional texts',
  venue: named,
  category: { optional: { external_id: 'text', name: 'text' } },
  offering_type: { external_id: 'text', name: 'text', min_age: 'optional text', max_age: 'optional text' },
  event: { external_id: 'text', name: 'text', max_occupancy: 'optional text' },
  starts: { date: 'text', time: 'optional text', hour: 'optional text', minute: 'optional text' },
  ends: {
    date: 'optional text',
    time: 'optional text',
    hour: 'optional text',
    minute: 'optional text',
    duration_minutes: 'optional text',
  },
};

const SHIPPED = new URL('./mappings/', import.meta.url);

/** Reads and checks a mapping file. @throws Error that names every fault and the remedy */
export function readMapping(file: string): ScheduleMapping {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `The mapping ${file} cannot be read: ${(error as Error).message}. Remedy: it must be a JSON file as described in docs/guide/import.md.`,
      { cause: error },
    );
  }
  const problems = [
    ...shapeProblems(value, RULES),
    ...(shapeProblems(value, RULES).length > 0 ? [] : timeProblems(value as ScheduleMapping)),
  ];
  if (problems.length > 0)
    throw new Error(`The mapping ${file} is not valid: ${problems.join('; ')}. Remedy: see docs/guide/import.md.`);
  return value as ScheduleMapping;
}

const ways = (place: object, names: string[]): number => names.filter((name) => name in place).length;

function timeProblems({ timezone, date_format: format, starts, ends }: ScheduleMapping): string[] {
  return [
    ...(columnsOf(timezone).length === 0 && !isZone(timezone)
      ? [`timezone "${timezone}" is not an IANA name, for example America/Toronto`]
      : []),
    ...(format !== undefined && !(format in DATE_FORMATS)
      ? [`date_format must be one of ${Object.keys(DATE_FORMATS).join(', ')}`]
      : []),
    ...(ways(starts, ['time', 'hour']) === 1 ? [] : ['starts needs either time, or hour (with minute)']),
    ...(ways(ends, ['time', 'hour', 'duration_minutes']) === 1
      ? []
      : ['ends needs one of time, hour (with minute), or duration_minutes']),
  ];
}

/**
 * Returns the included mapping whose columns a file has. @throws Error that names the columns of the file, if there is
 * none
 */
export function chooseMapping(heading: readonly string[]): { name: string; mapping: ScheduleMapping } {
  const names: string[] = [];
  for (const file of readdirSync(SHIPPED).toSorted()) {
    const mapping = readMapping(fileURLToPath(new URL(file, SHIPPED)));
    const name = basename(file, '.json');
    names.push(name);
    if (
      textsOf(mapping)
        .flatMap(columnsOf)
        .every((column) => heading.includes(column))
    )
      return { name, mapping };
  }
  throw new Error(
    `None of the mappings that come with Rollcall (${names.join(', ')}) matches the columns of this file: ${heading.join(', ')}. ` +
      'Remedy: write a mapping file as described in docs/guide/import.md and pass it with --mapping FILE.',
  );
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

/** Returns the columns that a mapping reads. */
export const columnsRead = ({
  timezone,
  venue,
  category,
  offering_type,
  event,
  starts,
  ends,
}: ScheduleMapping): ReadonlySet<string> =>
  new Set(textsOf([timezone, venue, category, offering_type, event, starts, ends]).flatMap(columnsOf));

type Compiled<T> = { [K in keyof T]: Template };

export interface CompiledMapping {
  readonly timezone: Template;
  /** null to detect it from the file */
  readonly dateFormat: DateFormat | null;
  readonly venue: Compiled<ScheduleMapping['venue']>;
  readonly category?: Compiled<NonNullable<ScheduleMapping['category']>>;
  readonly offeringType: Compiled<ScheduleMapping['offering_type']>;
  readonly event: Compiled<ScheduleMapping['event']>;
  readonly starts: Compiled<ScheduleMapping['starts']>;
  readonly ends: Compiled<ScheduleMapping['ends']>;
}

/** Compiles a mapping for a file. @throws Error that names the column that the file does not have */
export function compileMapping(mapping: ScheduleMapping, heading: readonly string[]): CompiledMapping {
  const empty = new Set(mapping.empty ?? []);
  const one = (text: string): Template => compileTemplate(text, heading, empty);
  const each = <T extends object>(texts: T): Compiled<T> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, one(text as string)])) as Compiled<T>;
  return {
    timezone: one(mapping.timezone),
    dateFormat: mapping.date_format ?? null,
    venue: each(mapping.venue),
    category: mapping.category && each(mapping.category),
    offeringType: each(mapping.offering_type),
    event: each(mapping.event),
    starts: each(mapping.starts),
    ends: each(mapping.ends),
  };
}
