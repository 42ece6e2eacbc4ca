/** Brings a customer file into a business: people are told apart by their e-mail address. */
import { inGroups, readCsv, type CsvFile, type CsvRow, type Rejection } from '../../../kernel/csv/read-csv.ts';
import { readDate } from '../../../kernel/csv/read-date.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { Work, type Tenant } from '../../../kernel/work.ts';
import { customerCreated, customerUpdated } from '../feed.ts';
import { writable } from '../customer.ts';
import { Issues } from '../../../kernel/api/problem.ts';
import { compileCustomerMapping, mappingByNames, type CompiledCustomerMapping, type CustomerMapping } from './mapping.ts';
import type { Field, Reading } from '../../../kernel/api/field.ts';
import type { Database } from '../../../kernel/db/database.ts';
import type { Template } from '../../../kernel/csv/template.ts';
import type { Viewer } from '../../../kernel/access/viewer.ts';

export interface CustomerFile {
  readonly name: string;
  readonly mapping: CustomerMapping;
  readonly csv: CsvFile;
}

export interface CustomerImport {
  db: Database;
  tenant: Tenant;
  viewer: Viewer;
  file: CustomerFile;
  now: () => number;
  onRejected(rejection: Rejection): void;
  onProgress(part: number, rows: number): void;
}

export interface CustomerSummary {
  rows: number;
  made: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/** null: the file says nothing of it */
interface Person {
  readonly line: number;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly date_of_birth: string | null;
}

type Stored = Omit<Person, 'line'> & { id: number };

const BATCH = 1000;
const ATTEMPTS = 3;
const OLDEST = '1880-01-01';
const FOLLOWED = ['first_name', 'last_name', 'date_of_birth'] as const;

/** What the interface would say of the text; null when it takes it. */
function complaint(field: Field<string>, text: string): string | null {
  const issues = new Issues();
  field.spec.read(text, 'value', { issues } as Reading);
  return issues.fields.value?.[0] ?? null;
}

export async function openCustomers(path: string, mapping: CustomerMapping | null, onRejected: (rejection: Rejection) => void): Promise<CustomerFile> {
  const csv = await readCsv(path, onRejected);
  return { name: path, mapping: mapping ?? mappingByNames(csv.heading), csv };
}

export async function importCustomers(options: CustomerImport): Promise<CustomerSummary> {
  const { file, now, onProgress } = options;
  const mapping = compileCustomerMapping(file.mapping, file.csv.heading);
  const summary: CustomerSummary = { rows: 0, made: 0, changed: 0, unchanged: 0, rejected: 0 };
  const seen = new Map<string, number>();
  for await (const rows of inGroups(file.csv.rows, BATCH)) {
    summary.rows += rows.length;
    const today = new Date(now() + 86_400_000).toISOString().slice(0, 10);
    const people: Person[] = [];
    for (const row of rows) {
      const person = readPerson(mapping, row, today, seen);
      if ('reason' in person) {
        summary.rejected++;
        options.onRejected(person);
      } else {
        seen.set(person.email.toLowerCase(), person.line);
        people.push(person);
      }
    }
    const written = await writePeople(options, people);
    summary.made += written.made;
    summary.changed += written.changed;
    summary.unchanged += people.length - written.made - written.changed;
    onProgress(file.csv.progress(), summary.rows);
  }
  return summary;
}

function readPerson(mapping: CompiledCustomerMapping, { line, cells }: CsvRow, today: string, seen: ReadonlyMap<string, number>): Person | Rejection {
  const bad = (template: Template, reason: string): Rejection => ({ line, column: template.column, value: template.fill(cells) ?? '', reason });
  const email = mapping.email.fill(cells);
  if (email === null) return bad(mapping.email, 'is empty, and tells people apart');
  if (complaint(writable.email, email) !== null) return bad(mapping.email, 'is no e-mail address');
  const earlier = seen.get(email.toLowerCase());
  if (earlier !== undefined) return bad(mapping.email, `was in line ${earlier} already`);
  const name = (template: Template | undefined) => template?.fill(cells) ?? null;
  for (const key of ['first_name', 'last_name'] as const) {
    const text = name(mapping[key]);
    const wrong = text === null ? null : complaint(writable[key], text);
    if (wrong) return bad(mapping[key]!, wrong);
  }
  const birthText = name(mapping.date_of_birth);
  const birth = birthText === null ? null : readDate(birthText, mapping.dateFormat);
  if (birthText !== null && birth === null) return bad(mapping.date_of_birth!, `is no date (${mapping.dateFormat})`);
  if (birth !== null && (birth > today || birth < OLDEST)) return bad(mapping.date_of_birth!, 'is no date of birth in the past');
  return { line, email, first_name: name(mapping.first_name), last_name: name(mapping.last_name), date_of_birth: birth };
}

async function writePeople(options: CustomerImport, people: readonly Person[]): Promise<{ made: number; changed: number }> {
  const { db, tenant, viewer, file, now } = options;
  if (people.length === 0) return { made: 0, changed: 0 };
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = await storedPeople(db, tenant.providerId, people);
      return await db.transaction(tenant.providerId, async (tx) => {
        const work = new Work({ tx, tenant, viewer, now: now(), requestId: 'import' });
        const made = await insertPeople(work, people.filter((p) => !stored.has(p.email.toLowerCase())));
        const changed = await changePeople(work, people, stored);
        if (made + changed > 0) {
          const lines = { first: people[0].line, last: people.at(-1)!.line };
          work.audit({ action: 'import', object: 'customer', objectId: null, before: null, after: { file: file.name, lines, made, changed } });
        }
        for (const record of work.takeRecords()) await tx.run(record);
        return { made, changed };
      });
    } catch (error) {
      // Somebody entered the same person in between: the next attempt finds them.
      if ((error as { code?: string }).code !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * lower() is not leakproof, so behind the policy of one business its index is out of reach and each look-up would read
 * all of its customers.
 */
async function storedPeople(db: Database, providerId: number, people: readonly Person[]): Promise<Map<string, Stored>> {
  const rows = await db.acrossTenants('an import finds the people of one business by the index of their addresses', async (tx) => {
    // A plan that was kept from when the table was empty would read the whole table address by address.
    await tx.run(sql`SET LOCAL plan_cache_mode = force_custom_plan`);
    return tx.rows<Stored>(
      sql`SELECT id, email, first_name, last_name, date_of_birth FROM customer
          WHERE provider_id = ${providerId} AND lower(email) = ANY(${people.map((p) => p.email.toLowerCase())}::text[]) AND deleted_at IS NULL`,
    );
  });
  return new Map(rows.map((row) => [row.email.toLowerCase(), row]));
}

async function insertPeople(work: Work, people: readonly Person[]): Promise<number> {
  if (people.length === 0) return 0;
  const at = instant(work.now);
  const rows = await work.tx.rows<{ id: number }>(sql`
    INSERT INTO customer (provider_id, email, first_name, last_name, date_of_birth, created_at, updated_at)
    SELECT ${work.providerId}::bigint, e, f, l, b, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => p.first_name)}::text[], ${people.map((p) => p.last_name)}::text[],
                ${people.map((p) => p.date_of_birth)}::date[]) AS r (e, f, l, b) RETURNING id`);
  for (const { id } of rows) work.record(customerCreated, id, { customer: id });
  return rows.length;
}

async function changePeople(work: Work, people: readonly Person[], stored: ReadonlyMap<string, Stored>): Promise<number> {
  const differing = people.flatMap((person) => {
    const before = stored.get(person.email.toLowerCase());
    const changed = before ? FOLLOWED.filter((key) => person[key] !== null && person[key] !== before[key]) : [];
    return before && changed.length > 0 ? [{ id: before.id, person, changed }] : [];
  });
  if (differing.length === 0) return 0;
  await work.tx.run(sql`
    UPDATE customer c SET first_name = coalesce(r.f, c.first_name), last_name = coalesce(r.l, c.last_name),
      date_of_birth = coalesce(r.b, c.date_of_birth), updated_at = ${instant(work.now)}
    FROM unnest(${differing.map((d) => d.id)}::bigint[], ${differing.map((d) => d.person.first_name)}::text[],
                ${differing.map((d) => d.person.last_name)}::text[], ${differing.map((d) => d.person.date_of_birth)}::date[]) AS r (id, f, l, b)
    WHERE c.provider_id = ${work.providerId} AND c.id = r.id`);
  for (const { id, changed } of differing) work.record(customerUpdated, id, { customer: id, changed: [...changed] });
  return differing.length;
}
