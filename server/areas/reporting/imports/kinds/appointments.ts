/** Appointments to come: each becomes an event with its booking. They were paid elsewhere, so nothing pays for them. */
import { clockText } from './rules/time.ts';
import { createEvent, lockUses, register } from '../../../scheduling/schedule/index.ts';
import { customersOf } from './people.ts';
import { eventIdElsewhere } from './event-id.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { instantAt, timesIn } from './times.ts';
import { instructorsIn, type Taught } from './instructors.ts';
import {
  isIssue,
  issueOf,
  rejected,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcome,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { minutesOf } from './rules/duration.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { venueOf } from './venue.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Wanted {
  readonly row: CsvRow;
  readonly key: string;
  readonly customer: number;
  readonly type: AppointmentType;
  readonly venue: number;
  /** epoch milliseconds */
  readonly startsAt: number;
  readonly endsAt: number;
}

interface AppointmentType extends Record<string, unknown> {
  readonly id: number;
  readonly name: string;
  /** minutes; null if it isn't set */
  readonly minutes: number | null;
}

interface Here {
  /** by name in lower case; null if several have it */
  readonly types: ReadonlyMap<string, AppointmentType | null>;
  readonly venues: ReadonlyMap<string, number | null>;
}

export const writeAppointments: WriteRows = async (portion) => {
  const { work, rows } = portion;
  const outcomes: Outcomes = new Map();
  const customers = await customersOf(portion);
  const venue = await venueOf(portion);
  const here = await readHere(work);
  const wanted = rows.flatMap((row) => {
    const name = venue === null ? null : (venue.fill(row.cells)?.trim() ?? null);
    const read = readOne(portion, row, customers.get(row.line)!, { here, venue: name });
    if (!isIssue(read)) return [read];
    outcomes.set(row.line, rejected(read));
    return [];
  });
  const once = await onceEach(portion, wanted, outcomes);
  const taught = await instructorsIn(portion);
  const stored = await work.tx.rows<{ id: number; external_id: string }>(
    sql`SELECT id, external_id FROM event WHERE provider_id = ${work.providerId} AND status = 'active'
        AND external_id = ANY(${once.map(({ key }) => key)}::text[])`,
  );
  const events = new Map(stored.map((row) => [row.external_id, row.id]));
  // Locked together and in the order of ids, like everywhere several instructors are locked.
  const fresh = once.filter(({ key }) => !events.has(key));
  await lockUses(
    work,
    [],
    fresh.flatMap(({ row }) => taught.get(row.line)?.ids ?? []),
  );
  for (const one of once)
    outcomes.set(one.row.line, await writeOne(work, one, events.get(one.key), taught.get(one.row.line)));
  return outcomes;
};

const only = <T>(all: readonly T[]): T | null => (all.length === 1 ? all[0] : null);

const byName = <T extends { readonly name: string }>(all: readonly T[]) =>
  [...Map.groupBy(all, ({ name }) => name.trim().toLowerCase())].map(([name, same]) => [name, only(same)] as const);

async function readHere({ tx, providerId }: Work): Promise<Here> {
  const types = await tx.rows<AppointmentType>(
    sql`SELECT id, name, slot_duration AS minutes FROM offering_type
      WHERE provider_id = ${providerId} AND status = 'active' AND schedule_type = 'appointment'`,
  );
  const venues = await tx.rows<{ id: number; name: string }>(
    sql`SELECT id, name FROM venue WHERE provider_id = ${providerId} AND NOT archived`,
  );
  return {
    types: new Map(byName(types)),
    venues: new Map(byName(venues).map(([name, one]) => [name, one?.id ?? null])),
  };
}

function readOne(
  portion: Portion,
  row: CsvRow,
  customer: number | Issue,
  { here, venue }: { readonly here: Here; readonly venue: string | null },
): Wanted | Issue {
  const { work, source } = portion;
  const at = (property: string) => templateOf(portion, property);
  const state = stateIn(portion, 'status', row);
  if (state === 'left_out' || state === null)
    return issueOf(at('status'), row, state === null ? 'has no known meaning' : 'is not booked any more');
  if (isIssue(customer)) return customer;
  const typeColumn = at('offering_type');
  const name = textIn(typeColumn, row);
  if (name === null) return issueOf(typeColumn, row, 'names no kind of appointment');
  const type = here.types.get(name.toLowerCase());
  if (type === undefined)
    return issueOf(typeColumn, row, 'is no kind of appointment here: create one with this name first');
  if (type === null) return issueOf(typeColumn, row, 'is the name of several kinds of appointments here');
  if (venue === null)
    return issueOf(at('venue'), row, 'names no venue, and the business has several. Choose the column with the venue');
  const venueId = here.venues.get(venue.toLowerCase());
  if (venueId === undefined) return issueOf(at('venue'), row, 'is no venue here: create one with this name first');
  if (venueId === null) return issueOf(at('venue'), row, 'is the name of several venues here');
  const times = timesIn(portion, row);
  if (times === null || isIssue(times)) return times ?? issueOf(at('start_date'), row, 'is empty');
  const length = minutesIn(portion, row, type);
  if (isIssue(length)) return length;
  const startsAt = instantAt(portion, times);
  const minutes = times.end === null ? length : (times.end - times.start + 1440) % 1440;
  if (minutes === null || minutes === 0)
    return issueOf(at('end_time') ?? at('start_date'), row, 'has no end, and the kind of appointment has no duration');
  if (startsAt <= work.now)
    return issueOf(at('start_date'), row, 'is in the past: only appointments to come are imported');
  const own =
    textIn(at('external_id'), row) ?? `appointment ${times.day} ${clockText(times.start)} ${type.id} ${customer}`;
  const key = eventIdElsewhere(source, own);
  return { row, key, customer, type, venue: venueId, startsAt, endsAt: startsAt + minutes * 60_000 };
}

/** Returns the duration of a row in minutes, or that of its kind of appointment; null if there is none. */
function minutesIn(portion: Portion, row: CsvRow, type: AppointmentType): number | null | Issue {
  const column = templateOf(portion, 'duration');
  const text = textIn(column, row);
  if (text === null) return type.minutes;
  return minutesOf(text) ?? issueOf(column, row, 'is not a duration');
}

async function onceEach(portion: Portion, wanted: readonly Wanted[], outcomes: Outcomes): Promise<Wanted[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    wanted.map(({ key }) => key),
    [],
  );
  const column = templateOf(portion, 'external_id');
  return wanted.filter(({ row, key }) => {
    const line = seen.own.get(key) ?? earlier.own.get(key);
    if (line !== undefined) outcomes.set(row.line, rejected(issueOf(column, row, `is already in line ${line}`)));
    else seen.own.set(key, row.line);
    return line === undefined;
  });
}

/** 23P01: the instructor has another event at that time. */
const CLASH = '23P01';

/** Books the event of an appointment, which is created if it doesn't exist. Does neither if the booking is refused. */
async function writeOne(
  work: Work,
  one: Wanted,
  event: number | undefined,
  taught: Taught | undefined,
): Promise<Outcome> {
  const issues = taught?.issues ?? [];
  try {
    return { ...(await book(work, one, event, taught?.ids ?? [])), issues };
  } catch (error) {
    if ((error as { code?: string }).code === CLASH && taught) {
      const reason = 'has another event at that time; the event is imported without them';
      const written = await book(work, one, event, []);
      return { ...written, issues: [...issues, { column: taught.column, value: taught.value, reason }] };
    }
    if (!(error instanceof Problem)) throw error;
    return rejected({ column: '', value: '', reason: error.message.replace(/\.$/, '') });
  }
}

async function book(
  work: Work,
  { key, customer, type, venue, startsAt, endsAt }: Wanted,
  known: number | undefined,
  instructors: readonly number[],
): Promise<Pick<Outcome, 'fate' | 'object'>> {
  const beside = work.beside();
  const booked = await work.tx.attempt(async () => {
    const event =
      known ??
      (await createEvent(beside, {
        name: type.name.slice(0, 200),
        external_id: key,
        offering_type: type.id,
        venue,
        starts_at: instant(startsAt)!,
        ends_at: instant(endsAt)!,
        instructors: [...instructors],
        max_occupancy: 1,
        waitlist_max_override: 0,
        on_closed_day: true,
      }));
    const [result] = await register(work.tx, [{ work: beside, customer, comped: true, named: null, made: true }], {
      event,
      commit: false,
    });
    if (result instanceof Error) throw result;
    return result;
  });
  work.take(beside);
  return { fate: booked.made ? 'created' : 'unchanged', object: booked.attendance };
}
