/** Events, with the venues and offering types that they name. */
import { dayWithin, minutesOf, timeWithin } from './rules/moment.ts';
import { eventIdElsewhere } from './event-id.ts';
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
import { rejected, shortened, templateOf, type Outcomes, type Portion, type WriteRows } from './portion.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const writeSchedule: WriteRows = async (portion) => {
  const { work, rows, columns } = portion;
  const outcomes: Outcomes = new Map();
  const venue = await venueOf(portion);
  if (venue === null) {
    const reason = 'names no venue, and the business has several. Say which column is the venue';
    for (const { line } of rows) outcomes.set(line, rejected({ column: '', value: '', reason }));
    return outcomes;
  }
  const mapping = mappingOf(portion, venue);
  const headings = new Set(columns.map(({ heading }) => heading));
  const sessions: Session[] = [];
  for (const row of rows) {
    const session = readSession(mapping, row);
    if (!('reason' in session)) sessions.push(session);
    else {
      const { column, value, reason } = session;
      outcomes.set(row.line, rejected({ column: headings.has(column) ? column : '', value: shortened(value), reason }));
    }
  }
  const first = await onceEach(portion, sessions, outcomes);
  const known = await placesNamed(work, first);
  const { added } = await placesFor(work, first, known);
  const { fates, rejected: refused } = await writeEvents(work, first, merged(known, added));
  for (const { line, column, value, reason } of refused) outcomes.set(line, rejected({ column, value, reason }));
  const notes = new Map(first.map(({ line, note }) => [line, note]));
  for (const [line, { event, fate }] of fates) {
    const note = notes.get(line) ?? null;
    outcomes.set(line, {
      fate,
      object: event,
      issues: note === null ? [] : [{ column: mapping.starts.date.column, value: '', reason: note }],
    });
  }
  return outcomes;
};

/** Returns the venue column, otherwise a constant with the name of the only venue; null if there are several. */
async function venueOf(portion: Portion): Promise<Template | null> {
  const column = templateOf(portion, 'venue');
  if (column) return column;
  const { tx, providerId } = portion.work;
  const venues = await tx.rows<{ name: string }>(
    sql`SELECT name FROM venue WHERE provider_id = ${providerId} AND NOT archived ORDER BY id LIMIT 2`,
  );
  if (venues.length > 1) return null;
  const business = await tx.one<{ name: string }>(sql`SELECT name FROM provider WHERE provider_id = ${providerId}`);
  return constantTemplate(venues[0]?.name ?? business!.name);
}

const changed = (of: Template, change: (text: string) => string | null): Template => ({
  ...of,
  fill: (cells) => {
    const text = of.fill(cells);
    return text === null ? null : change(text);
  },
});

const lowerCase = (text: string): string => text.toLowerCase();

function mappingOf(portion: Portion, venue: Template): CompiledMapping {
  const { source, work, dateFormat } = portion;
  const at = (property: string) => templateOf(portion, property);
  const name = at('name')!;
  const start = at('start_date')!;
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
    dateFormat,
    // Different spellings of a name are one venue.
    venue: { external_id: changed(venue, lowerCase), name: venue },
    offeringType: { external_id: changed(type, lowerCase), name: type },
    event: {
      external_id: id,
      name,
      ...(capacity && { max_occupancy: changed(capacity, (t) => t.replace(/\.0+$/, '')) }),
    },
    starts: {
      date: changed(start, dayWithin),
      time: changed(time ?? start, (text) => timeWithin(text) ?? (time ? text : null)),
    },
    ends: duration
      ? { duration_minutes: changed(duration, (text) => String(minutesOf(text) ?? text)) }
      : { time: changed(end!, (text) => timeWithin(text) ?? text) },
  };
}

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
