/**
 * Imports a schedule file into a business: read as a stream, written in batches, each of them completely or not at all.
 */
import { hash } from 'node:crypto';
import { inGroups, readCsv, type CsvFile, type Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import { dateFormatOf, type DateFormat } from '../../../../kernel/base/csv/read-date.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { businessTime, Work, type Tenant, type Declarations } from '../../../../kernel/work/unit/work.ts';
import { chooseMapping, columnsRead, compileMapping, type ScheduleMapping } from './mapping.ts';
import { noPlaces, placesFor, type MadePlaces, type Places } from './places.ts';
import { readSession, type Session } from './read-session.ts';
import { writeEvents, type WrittenEvents } from './write-events.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../../kernel/work/access/viewer.ts';

export interface ScheduleImport {
  db: Database;
  registry: Declarations;
  tenant: Tenant;
  viewer: Viewer;
  file: ScheduleFile;
  now: () => number;
  /** date format that the operator states; if absent, that of the mapping, or the one detected from the file */
  dateFormat?: DateFormat;
  /** runs everything and saves nothing */
  dryRun?: boolean;
  onRejected(rejection: Rejection): void;
  /** reports a value that was corrected, or that a person should check */
  onNote(line: number, note: string): void;
  /** part of the file that is done, 0 to 1 */
  onProgress(part: number, rows: number): void;
}

export interface ScheduleSummary {
  rows: number;
  events: { made: number; changed: number; unchanged: number };
  rejected: number;
  /** number of rows that repeat an earlier row */
  repeated: number;
  made: { venues: number; categories: number; offeringTypes: number };
}

interface ScheduleFile {
  readonly name: string;
  readonly mapping: ScheduleMapping;
  readonly csv: CsvFile;
  /** columns that are not imported */
  readonly ignored: readonly string[];
}

const BATCH = 1000;
const ATTEMPTS = 3;
const LOCK = 771_004;
const KINDS = ['venues', 'categories', 'offeringTypes'] as const;

/** Opens a file with the given mapping or, without one, the included mapping that matches. */
export async function openSchedule(
  path: string,
  given: ScheduleMapping | null,
  onRejected: (rejection: Rejection) => void,
): Promise<ScheduleFile> {
  const csv = await readCsv(path, onRejected);
  const mapping = given ?? chooseMapping(csv.heading).mapping;
  const read = columnsRead(mapping);
  return { name: path, mapping, csv, ignored: csv.heading.filter((name) => name !== '' && !read.has(name)) };
}

export async function importSchedule(options: ScheduleImport): Promise<ScheduleSummary> {
  const { file, onProgress } = options;
  const compiled = compileMapping(file.mapping, file.csv.heading);
  const dates = [compiled.starts.date, ...(compiled.ends.date ? [compiled.ends.date] : [])];
  const dateFormat =
    options.dateFormat ??
    compiled.dateFormat ??
    (await dateFormatOf(file.csv.again(), ({ cells }) => dates.map((template) => template.fill(cells))));
  const mapping = { ...compiled, dateFormat };
  const summary: ScheduleSummary = {
    rows: 0,
    events: { made: 0, changed: 0, unchanged: 0 },
    rejected: 0,
    repeated: 0,
    made: { venues: 0, categories: 0, offeringTypes: 0 },
  };
  const reject = (rejection: Rejection) => {
    summary.rejected++;
    options.onRejected(rejection);
  };
  const known = noPlaces();
  // In a dry run, each batch that needs a place creates it.
  const made = { venues: new Set<string>(), categories: new Set<string>(), offeringTypes: new Set<string>() };
  const seen = new Map<string, Seen>();
  for await (const rows of inGroups(file.csv.rows, BATCH)) {
    summary.rows += rows.length;
    const sessions: Session[] = [];
    for (const row of rows) {
      const session = readSession(mapping, row);
      if ('reason' in session) reject(session);
      else if (isFirst(session, seen, reject, summary)) sessions.push(session);
    }
    for (const { line, note } of sessions) if (note) options.onNote(line, note);
    const written = await writeBatch(options, sessions, known);
    written.rejected.forEach(reject);
    summary.events.made += written.made;
    summary.events.changed += written.changed;
    summary.events.unchanged += written.unchanged;
    for (const kind of KINDS) {
      for (const id of written.places[kind]) made[kind].add(id);
      summary.made[kind] = made[kind].size;
    }
    onProgress(file.csv.progress(), summary.rows);
  }
  return summary;
}

interface Seen {
  readonly line: number;
  readonly print: string;
}

/**
 * Returns true for the first row with an external id: an identical row is skipped, a different one is a contradiction.
 */
function isFirst(
  session: Session,
  seen: Map<string, Seen>,
  reject: (r: Rejection) => void,
  summary: ScheduleSummary,
): boolean {
  const { line } = session;
  const print = hash('sha1', JSON.stringify({ ...session, line: 0 }), 'base64url').slice(0, 16);
  const earlier = seen.get(session.externalId);
  if (!earlier) {
    seen.set(session.externalId, { line, print });
    return true;
  }
  if (earlier.print === print) summary.repeated++;
  else
    reject({
      line,
      column: '',
      value: session.externalId,
      reason: `has the same external id as line ${earlier.line}, but different values`,
    });
  return false;
}

interface Written extends WrittenEvents {
  readonly places: MadePlaces;
}

/** Thrown to roll back a transaction whose result is needed. */
class Tried extends Error {
  readonly written: Written;
  constructor(written: Written) {
    super('a dry run keeps nothing');
    this.written = written;
  }
}

async function writeBatch(
  { db, registry, tenant, viewer, file, now, dryRun = false }: ScheduleImport,
  sessions: readonly Session[],
  known: Places,
): Promise<Written> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { added, ...written } = await db.transaction(tenant.providerId, async (tx) => {
        const work = new Work({ tx, registry, tenant, viewer, now: businessTime(tenant, now()), requestId: 'import' });
        // Two imports into one business take turns, batch by batch.
        await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK}, ${tenant.providerId % 2_147_483_647})`);
        const places = await placesFor(work, sessions, known);
        const events = await writeEvents(work, sessions, merged(known, places.added));
        if (events.made + events.changed > 0) {
          const lines = { first: sessions[0].line, last: sessions.at(-1)!.line };
          work.audit({
            action: 'import',
            object: 'event',
            objectId: null,
            before: null,
            after: { file: file.name, lines, made: events.made, changed: events.changed },
          });
        }
        for (const record of work.takeRecords()) await tx.run(record);
        if (dryRun) throw new Tried({ ...events, places: places.made });
        return { ...events, places: places.made, added: places.added };
      });
      // Only now, because a batch that is rolled back also rolls back its new places.
      for (const kind of KINDS) {
        for (const [id, place] of added[kind]) (known[kind] as Map<string, unknown>).set(id, place);
      }
      return written;
    } catch (error) {
      if (error instanceof Tried) return error.written;
      // Another request has created a row with the same external id in between: the next attempt finds it.
      if ((error as { code?: string }).code !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Returns all places that the batch may reference. */
const merged = (known: Places, added: Places): Places => ({
  venues: both(known.venues, added.venues),
  categories: both(known.categories, added.categories),
  offeringTypes: both(known.offeringTypes, added.offeringTypes),
});

const both = <V>(a: Map<string, V>, b: Map<string, V>): Map<string, V> => (b.size === 0 ? a : new Map([...a, ...b]));
