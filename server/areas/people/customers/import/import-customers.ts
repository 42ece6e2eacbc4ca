/** Imports a customer file into a business: people are identified by their email address. */
import { dateFormatOf, type DateFormat } from '../../../../kernel/base/csv/read-date.ts';
import { inGroups, readCsv, type CsvFile, type Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import { businessTime, Work, type Tenant, type Declarations } from '../../../../kernel/work/unit/work.ts';
import { columnsRead, compileCustomerMapping, mappingByNames, type CustomerMapping } from './mapping.ts';
import { readPerson, type Person, type PersonReading } from './read-person.ts';
import { NOTHING, storedPeople, writePeople, type KeepPhones, type Written } from './write-people.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../../kernel/work/access/viewer.ts';

interface CustomerFile {
  readonly name: string;
  readonly mapping: CustomerMapping;
  readonly csv: CsvFile;
  /** columns that are not imported */
  readonly ignored: readonly string[];
}

export interface CustomerImport {
  db: Database;
  registry: Declarations;
  tenant: Tenant;
  viewer: Viewer;
  file: CustomerFile;
  now: () => number;
  /** order of day and month in dates, from the operator; absent: from the mapping, or as detected in the file */
  dateFormat?: DateFormat;
  /** sends an invitation to everybody in the file who has no account and was never invited */
  invite?: boolean;
  /** does everything and commits nothing */
  dryRun?: boolean;
  /** phone numbers belong to another area */
  readPhone: PersonReading['readPhone'];
  keepPhones: KeepPhones;
  onRejected(rejection: Rejection): void;
  /** notes for the operator */
  onNote(line: number, note: string): void;
  onProgress(part: number, rows: number): void;
}

export interface CustomerSummary {
  rows: number;
  made: number;
  changed: number;
  unchanged: number;
  invited: number;
  rejected: number;
  /** cells that were skipped although their rows were imported */
  leftOut: number;
}

const BATCH = 1000;
const ATTEMPTS = 3;

export async function openCustomers(
  path: string,
  given: CustomerMapping | null,
  onRejected: (rejection: Rejection) => void,
): Promise<CustomerFile> {
  const csv = await readCsv(path, onRejected);
  const mapping = given ?? mappingByNames(csv.heading);
  const read = columnsRead(mapping);
  return { name: path, mapping, csv, ignored: csv.heading.filter((name) => name !== '' && !read.has(name)) };
}

export async function importCustomers(options: CustomerImport): Promise<CustomerSummary> {
  const { file, now, onProgress } = options;
  const compiled = compileCustomerMapping(file.mapping, file.csv.heading);
  const born = compiled.date_of_birth;
  const shown = () => (born ? dateFormatOf(file.csv.again(), ({ cells }) => [born.fill(cells)]) : null);
  const dateFormat = options.dateFormat ?? compiled.dateFormat ?? (await shown());
  const summary: CustomerSummary = { rows: 0, made: 0, changed: 0, unchanged: 0, invited: 0, rejected: 0, leftOut: 0 };
  const seen = new Map<string, number>();
  for await (const rows of inGroups(file.csv.rows, BATCH)) {
    summary.rows += rows.length;
    const today = new Date(now() + 86_400_000).toISOString().slice(0, 10);
    const reading = { mapping: { ...compiled, dateFormat }, today, readPhone: options.readPhone };
    const people: Person[] = [];
    for (const row of rows) {
      const { person, faults } = readPerson(reading, row);
      const key = person?.email?.toLowerCase() ?? '';
      const earlier = person && seen.get(key);
      const again = {
        line: row.line,
        column: compiled.email.column,
        value: person?.email ?? '',
        reason: `is already in line ${earlier}`,
      };
      const said: readonly Rejection[] = earlier ? [again] : faults;
      for (const fault of said) {
        if (fault.cellOnly) summary.leftOut++;
        else summary.rejected++;
        options.onRejected(fault);
      }
      if (!person || earlier) continue;
      if (person.first_name === null && person.last_name === null) options.onNote(row.line, 'has no name');
      seen.set(key, person.line);
      people.push(person);
    }
    const written = await writeBatch(options, people);
    summary.made += written.made;
    summary.changed += written.changed;
    summary.invited += written.invited;
    summary.unchanged += people.length - written.made - written.changed;
    onProgress(file.csv.progress(), summary.rows);
  }
  return summary;
}

/** Thrown to roll a transaction back while returning its outcome. */
class Tried extends Error {
  readonly written: Written;
  constructor(written: Written) {
    super('a dry run keeps nothing');
    this.written = written;
  }
}

async function writeBatch(options: CustomerImport, people: readonly Person[]): Promise<Written> {
  const { db, registry, tenant, viewer, file, now, invite = false, keepPhones, dryRun = false } = options;
  if (people.length === 0) return NOTHING;
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = await storedPeople(db, tenant.providerId, people);
      return await db.transaction(tenant.providerId, async (tx) => {
        const work = new Work({ tx, registry, tenant, viewer, now: businessTime(tenant, now()), requestId: 'import' });
        const written = await writePeople(work, people, stored, { invite, keepPhones });
        const { made, changed, invited } = written;
        const counts = { made, changed, invited };
        if (made + changed + invited > 0) {
          const lines = { first: people[0].line, last: people.at(-1)!.line };
          work.audit({
            action: 'import',
            object: 'customer',
            objectId: null,
            before: null,
            after: { file: file.name, lines, ...counts },
          });
        }
        for (const record of work.takeRecords()) await tx.run(record);
        if (dryRun) throw new Tried(written);
        return written;
      });
    } catch (error) {
      if (error instanceof Tried) return error.written;
      // Somebody created the same person in the meantime: the next attempt finds them.
      if ((error as { code?: string }).code !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}
