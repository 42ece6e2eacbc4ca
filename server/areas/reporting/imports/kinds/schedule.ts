/** Events, with the venues, offering types and instructors that they name. */
import { clockText } from './rules/time.ts';
import { minutesOf } from './rules/duration.ts';
import { createPlan, plansIn, type WeeklyPlan } from './weekly-plans.ts';
import { createTaught } from './taught-events.ts';
import { instructorsIn } from './instructors.ts';
import { roomAt, roomsIn } from './rooms.ts';
import { readPlaces } from './rules/uses.ts';
import { timesIn, type Times } from './times.ts';
import { eventIdElsewhere } from './event-id.ts';
import { venueOf } from './venue.ts';
import { recall, remember } from '../remembered.ts';
import {
  noPlaces,
  placesFor,
  readSession,
  writeEvents,
  type CompiledMapping,
  type Places,
  type Session,
} from '../../../scheduling/schedule/index.ts';
import { columnTemplate, constantTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import {
  changed,
  isIssue,
  issueOf,
  rejected,
  shortened,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const writeSchedule: WriteRows = async (portion) => {
  const { work, rows, columns, source } = portion;
  const outcomes: Outcomes = new Map();
  const venue = await venueOf(portion);
  if (venue === null) {
    const reason = 'names no venue, and the business has several. Choose the column with the venue';
    for (const { line } of rows) outcomes.set(line, rejected({ column: '', value: '', reason }));
    return outcomes;
  }
  /** by the cells of the row, which is what templates get */
  const times = new Map<readonly string[], Times>();
  const mapping = mappingOf(portion, venue, times);
  const headings = new Set(columns.map(({ heading }) => heading));
  const sessions: Session[] = [];
  const plans = new Map<number, WeeklyPlan>();
  const planIn = plansIn(portion);
  for (const row of rows) {
    const plan = planIn(row);
    const when = plan !== null && !isIssue(plan) ? plan.times : (plan ?? timesIn(portion, row));
    const refused =
      when === null || isIssue(when) ? when : (endless(portion, row, when) ?? unclearPlaces(portion, row));
    if (when === null || isIssue(when) || refused !== null) {
      outcomes.set(row.line, rejected(refused ?? issueOf(templateOf(portion, 'start_date'), row, 'is empty')));
      continue;
    }
    times.set(row.cells, when);
    const session = readSession(mapping, row);
    if (!('reason' in session)) {
      sessions.push(plan === null ? session : named(portion, session, row, plan as WeeklyPlan));
      if (plan !== null) plans.set(row.line, plan as WeeklyPlan);
    } else {
      const { column, value, reason } = session;
      outcomes.set(row.line, rejected({ column: headings.has(column) ? column : '', value: shortened(value), reason }));
    }
  }
  const first = await onceEach(portion, sessions, outcomes);
  const known = await placesNamed(work, first);
  const { added } = await placesFor(work, first, known);
  const places = merged(known, added);
  const taught = await instructorsIn(portion);
  const rooms = await roomsIn(portion, first, places);
  const dated = first.filter(({ line }) => !plans.has(line));
  const { made, issues: unassigned } = await createTaught(work, dated, { taught, rooms }, places);
  const untaught = dated.filter(({ line }) => !made.has(line));
  const { fates, rejected: refused } = await writeEvents(work, untaught, places);
  for (const { line, column, value, reason } of refused) outcomes.set(line, rejected({ column, value, reason }));
  for (const [line, event] of made) fates.set(line, { event, fate: 'created' });
  const notes = new Map(first.map(({ line, note }) => [line, note]));
  const issuesOf = (line: number): Issue[] => {
    const note = notes.get(line) ?? null;
    return [
      ...(note === null ? [] : [{ column: mapping.starts.date.column, value: '', reason: note }]),
      ...(taught.get(line)?.issues ?? []),
      ...[rooms.get(line)].filter(isIssue),
    ];
  };
  for (const [line, { event, fate }] of fates)
    outcomes.set(line, { fate, object: event, issues: [...issuesOf(line), ...(unassigned.get(line) ?? [])] });
  const planned = first.flatMap((session) => {
    const plan = plans.get(session.line);
    return plan ? [{ session, plan }] : [];
  });
  const before = await recall(
    work,
    'event',
    source,
    planned.map(({ session }) => session.externalId),
  );
  const remembered: [string, number][] = [];
  for (const { session, plan } of planned) {
    const { line, externalId } = session;
    const issues = [...plan.notes, ...issuesOf(line)];
    const old = before.get(externalId);
    if (old !== undefined) {
      outcomes.set(line, { fate: 'unchanged', object: old, issues });
      continue;
    }
    const written = await createPlan(
      portion,
      { session, rrule: plan.rrule },
      { taught: taught.get(line), room: roomAt(rooms, line) },
      places,
    );
    if (written.event === null) outcomes.set(line, rejected(...written.issues));
    else {
      remembered.push([externalId, written.event]);
      outcomes.set(line, { fate: 'created', object: written.event, issues: [...issues, ...written.issues] });
    }
  }
  await remember(work, 'event', source, remembered);
  return outcomes;
};

/** Returns the cell to correct if a row has neither an end nor a duration; otherwise null. */
function endless(portion: Portion, row: CsvRow, { end }: Times): Issue | null {
  const at = (property: string) => templateOf(portion, property);
  if (end !== null || at('end_time') || at('duration')) return null;
  return issueOf(at('start_time') ?? at('start_date'), row, 'has no end: add a column with the end or the duration');
}

/** Returns the session of a plan with the id of the plan: its own does not depend on the day of the import. */
function named(portion: Portion, session: Session, row: CsvRow, { key }: WeeklyPlan): Session {
  const own = textIn(templateOf(portion, 'external_id'), row) ?? `${key} ${session.name} ${session.venue.externalId}`;
  return { ...session, externalId: eventIdElsewhere(portion.source, own) };
}

/** Returns the cell with a capacity in words that nobody could explain; otherwise null. */
function unclearPlaces(portion: Portion, row: CsvRow): Issue | null {
  const column = templateOf(portion, 'max_occupancy');
  const text = textIn(column, row);
  if (text === null || readPlaces(text) !== undefined) return null;
  const meaning = stateIn(portion, 'max_occupancy', row);
  if (meaning === 'left_out') return issueOf(column, row, 'means that the row is left out');
  return meaning === 'no_limit' ? null : issueOf(column, row, 'is not a number, and has no known meaning');
}

const lowerCase = (text: string): string => text.toLowerCase();

function mappingOf(portion: Portion, venue: Template, times: ReadonlyMap<readonly string[], Times>): CompiledMapping {
  const { source, work } = portion;
  const at = (property: string) => templateOf(portion, property);
  const name = at('name')!;
  const start = (at('start_date') ?? at('weekday'))!;
  const [time, end, duration] = [at('start_time'), at('end_time'), at('duration')];
  // A class without a type is its own offering type.
  const column = at('offering_type') ?? name;
  const type: Template = { ...column, fill: (cells) => column.fill(cells) ?? name.fill(cells) };
  const own = at('external_id');
  const id: Template = {
    ...(own ?? columnTemplate(-1, '')),
    fill: (cells, offered = {}) => {
      const text = own?.fill(cells) ?? null;
      return eventIdElsewhere(
        source,
        text ?? `${offered.$date} ${offered.$start} ${name.fill(cells)} ${venue.fill(cells)}`,
      );
    },
  };
  const capacity = at('max_occupancy');
  return {
    timezone: constantTemplate(work.tenant.zone),
    dateFormat: 'YYYY-MM-DD',
    // Different spellings of a name are one venue.
    venue: { external_id: changed(venue, lowerCase), name: venue },
    offeringType: { external_id: changed(type, lowerCase), name: type },
    event: {
      external_id: id,
      name,
      ...(capacity && { max_occupancy: changed(capacity, (t) => readPlaces(t)?.toString() ?? null) }),
    },
    starts: {
      date: { ...start, fill: (cells) => times.get(cells)?.day ?? null },
      time: { ...(time ?? start), fill: (cells) => clockOf(times.get(cells)?.start) },
    },
    ends: duration
      ? {
          duration_minutes: {
            ...duration,
            fill: (cells) => {
              const when = times.get(cells);
              if (when && when.end !== null) return String((when.end - when.start + 1440) % 1440);
              const text = duration.fill(cells);
              return text === null ? null : String(minutesOf(text) ?? text);
            },
          },
        }
      : { time: { ...(end ?? time ?? start), fill: (cells) => clockOf(times.get(cells)?.end) } },
  };
}

const clockOf = (minutes: number | null | undefined): string | null =>
  minutes === null || minutes === undefined ? null : clockText(minutes);

async function onceEach(portion: Portion, sessions: readonly Session[], outcomes: Outcomes): Promise<Session[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    sessions.map(({ externalId }) => externalId),
    [],
  );
  const column = templateOf(portion, 'external_id')?.column ?? '';
  return sessions.filter(({ line, externalId }) => {
    const twin = seen.own.get(externalId) ?? earlier.own.get(externalId);
    if (twin !== undefined) outcomes.set(line, rejected({ column, value: '', reason: `is already in line ${twin}` }));
    else seen.own.set(externalId, line);
    return twin === undefined;
  });
}

/** Finds existing objects of the business by these names, ignoring case: rows without an id don't create duplicates. */
async function placesNamed({ tx, providerId }: Work, sessions: readonly Session[]): Promise<Places> {
  const known = noPlaces();
  const names = (of: (session: Session) => string) => [...new Set(sessions.map(of))];
  const [venues, types] = [names((s) => s.venue.externalId), names((s) => s.offeringType.externalId)];
  const places = await tx.rows<{ id: number; name: string; timezone: string }>(
    sql`SELECT id, lower(name) AS name, timezone FROM venue WHERE provider_id = ${providerId} AND NOT archived
          AND lower(name) = ANY(${venues}::text[]) ORDER BY id DESC`,
  );
  const kinds = await tx.rows<{ id: number; name: string }>(
    sql`SELECT id, lower(name) AS name FROM offering_type
      WHERE provider_id = ${providerId} AND status = 'active' AND schedule_type = 'class'
          AND lower(name) = ANY(${types}::text[]) ORDER BY id DESC`,
  );
  const [placeOf, kindOf] = [new Map(places.map((p) => [p.name, p])), new Map(kinds.map((k) => [k.name, k.id]))];
  for (const name of venues) {
    const place = placeOf.get(name);
    if (place) known.venues.set(name, { id: place.id, zone: place.timezone });
  }
  for (const name of types) {
    const kind = kindOf.get(name);
    if (kind !== undefined) known.offeringTypes.set(name, kind);
  }
  return known;
}

const merged = (a: Places, b: Places): Places => ({
  venues: new Map([...a.venues, ...b.venues]),
  categories: new Map([...a.categories, ...b.categories]),
  offeringTypes: new Map([...a.offeringTypes, ...b.offeringTypes]),
});
