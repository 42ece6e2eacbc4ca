/**
 * All rows about one customer, in all tables: found, shown and erased by their owners' declarations (`table.ts`) and
 * the foreign keys in the catalog. The kernel does this, and not each owner, because the same rules must hold for every
 * table, also for future ones.
 */
import { and, instant, join, json, raw, sql, type Sql } from './sql.ts';
import type { SecretBox } from '../secret-box.ts';
import type { AboutPerson, OfPerson, Table } from './table.ts';
import type { Transaction } from './database.ts';

type Declared = ReadonlyMap<string, Table>;

/** A table with rows about customers, from the catalog. */
export interface PersonalTable {
  readonly name: string;
  readonly about: AboutPerson;
  /** columns that refer to the customer */
  readonly naming: readonly string[];
  /** columns that people can't read: bytes, and sealed values */
  readonly unreadable: readonly string[];
  /** sealed columns that the person's data contains opened */
  readonly opened: readonly {
    readonly column: string;
    /** its name in the data */
    readonly called: string;
    /** opens it; null: it is not sealed in this row. The row has its `provider_id` */
    readonly open: (box: SecretBox, row: Readonly<Record<string, any>>) => string | null;
  }[];
  /** columns that refer to a named object, by the name of its table */
  readonly named: readonly { readonly column: string; readonly table: string }[];
}

type Known = Pick<PersonalTable, 'name' | 'naming' | 'unreadable' | 'named'> & Record<string, unknown>;

const catalogOf = (tables: readonly string[], people: string): Sql => sql`
  SELECT c.relname AS name,
    (SELECT coalesce(jsonb_agg(a.attname ORDER BY a.attname), '[]') FROM pg_constraint f
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(f.conkey) AND a.attname <> 'provider_id'
     WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = ${`public.${people}`}::regclass) AS naming,
    (SELECT coalesce(jsonb_agg(a.attname), '[]') FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.atttypid IN ('bytea'::regtype, 'bytea[]'::regtype)) AS unreadable,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('column', a.attname, 'table', r.relname) ORDER BY a.attname), '[]')
     FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(f.conkey) AND a.attname <> 'provider_id'
     WHERE f.conrelid = c.oid AND f.contype = 'f' AND cardinality(f.conkey) = 2
       AND EXISTS (SELECT FROM pg_attribute n WHERE n.attrelid = r.oid AND n.attname = 'name')
       AND EXISTS (SELECT FROM pg_attribute n WHERE n.attrelid = r.oid AND n.attname = 'id')) AS named
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY(${tables}::text[])`;

/** Returns all such tables, in the order of the areas. `people`: the table whose rows are customers. */
export async function personalTables(tx: Transaction, declared: Declared, people: string): Promise<PersonalTable[]> {
  const about = [...declared].flatMap(([name, { person }]) => (person ? [{ name, person }] : []));
  const rows = await tx.rows<Known>(
    catalogOf(
      about.map(({ name }) => name),
      people,
    ),
  );
  const known = new Map(rows.map((row) => [row.name, row]));
  return about.map(({ name, person }) => {
    const { naming, unreadable, named } = known.get(name)!;
    const { sealed = {} } = declared.get(name)!;
    return {
      name,
      about: person,
      naming,
      unreadable: [...unreadable, ...Object.keys(sealed).filter((column) => person.opened?.[column] === undefined)],
      opened: Object.entries(person.opened ?? {}).map(([column, called]) => ({
        column,
        called,
        open: (box, row) => {
          const purpose = sealed[column](row);
          return purpose === null ? null : box.open(purpose, row[column]);
        },
      })),
      named,
    };
  });
}

/** Returns a condition: is the row `t` about the person? */
function isAbout({ name, about, naming }: PersonalTable, of: OfPerson): Sql {
  if (about.rows) return about.rows(of);
  if (naming.length === 0) throw new Error(`${name} names no customer, and no condition for the rows about one`);
  return sql`(${join(
    naming.map((column) => sql`${raw(`t.${column}`)} = ANY(${of.ids}::bigint[])`),
    ' OR ',
  )})`;
}

const fromRows = (table: PersonalTable, providerId: number, of: OfPerson): Sql =>
  sql`FROM ${raw(table.name)} t WHERE ${and([sql`t.provider_id = ${providerId}`, isAbout(table, of)])}`;

/** Returns the rows in readable form: without internal values, and with names next to ids. */
export function personalRows(table: PersonalTable, providerId: number, of: OfPerson): Sql {
  const { about, naming, named, unreadable } = table;
  const left = ['provider_id', 'search_text', ...naming, ...unreadable, ...(about.hidden ?? [])];
  const names = named
    .filter(({ column }) => !left.includes(column))
    .map(
      ({ column, table: other }) =>
        sql`|| jsonb_build_object(${column.replace(/_id$/, '_name')}::text, (SELECT n.name FROM ${raw(other)} n
          WHERE n.provider_id = t.provider_id AND n.id = ${raw(`t.${column}`)}))`,
    );
  return sql`SELECT (to_jsonb(t) - ${left}::text[]) ${join(names, ' ')} AS "row" ${fromRows(table, providerId, of)}
    ORDER BY to_jsonb(t) -> 'id', to_jsonb(t)`;
}

/** Something that must end before the erasure, and how many of it there are. */
export interface Stopping {
  readonly count: number;
  readonly what: string;
  readonly remedy: string;
}

/** Returns the reasons why a person can't be erased yet. */
export async function erasureBlockers(
  tx: Transaction,
  { tables, providerId, of, now }: Erasing,
): Promise<readonly Stopping[]> {
  const asked = tables.flatMap((table) =>
    (table.about.unfinished ?? []).map((unfinished) => ({
      unfinished,
      counting: sql`SELECT count(*) AS n ${fromRows(table, providerId, of)}
        AND ${unfinished.when(sql`${instant(now)}::timestamptz`)}`,
    })),
  );
  const found = await tx.all(asked.map(({ counting }) => counting));
  return asked.flatMap(({ unfinished: { one, many, remedy } }, at) => {
    const count = Number(found[at][0].n);
    return count === 0 ? [] : [{ count, what: count === 1 ? one : many, remedy }];
  });
}

interface Erasing {
  readonly tables: readonly PersonalTable[];
  readonly providerId: number;
  readonly of: OfPerson;
  readonly now: number;
}

/** The outcome for the rows of one table. `why`: the reason for keeping them. */
interface Erased {
  readonly what: string;
  readonly count: number;
  readonly why: string | null;
}

/**
 * Deletes, blanks and counts rows, as each owner declares. Rows are found before anything changes, so that a reference
 * to the person in one table still finds the rows of another: deletions and changes run in one batch, in reverse order
 * of the areas.
 */
export async function eraseRows(tx: Transaction, { tables, providerId, of }: Erasing): Promise<Erased[]> {
  const last = tables.toReversed();
  const answers = await tx.all(
    last.map((table) => sql`WITH done AS (${erasing(table, providerId, of)}) SELECT count(*) AS n FROM done`),
  );
  return last
    .flatMap(({ about: { called, erased } }, at) => {
      const count = Number(answers[at][0].n);
      return count === 0 ? [] : [{ what: called, count, why: erased === 'deleted' ? null : erased.kept }];
    })
    .toReversed();
}

function erasing(table: PersonalTable, providerId: number, of: OfPerson): Sql {
  const { name, about } = table;
  const where = sql`t.provider_id = ${providerId} AND ${isAbout(table, of)}`;
  if (about.erased === 'deleted') return sql`DELETE FROM ${raw(name)} t WHERE ${where} RETURNING 1`;
  if (about.erased.blank === undefined) return sql`SELECT 1 ${fromRows(table, providerId, of)}`;
  const values = join(
    Object.entries(about.erased.blank).map(([column, value]) => sql`${raw(column)} = ${value}`),
    ', ',
  );
  return sql`UPDATE ${raw(name)} t SET ${values} WHERE ${where} RETURNING 1`;
}

/** Returns strings that identify the person in a text, as they would be written into JSON. */
const needlesOf = ({ emails, phones, fullName }: OfPerson): string[] =>
  [...emails, ...phones, ...(fullName === null ? [] : [fullName.toLowerCase()])].map((text) => json(text).slice(1, -1));

const mentions = (text: Sql, needles: readonly string[]): Sql =>
  sql`EXISTS (SELECT FROM unnest(${needles}::text[]) AS needle WHERE strpos(lower(${text}), needle) > 0)`;

/**
 * Returns a condition: each of their names is a complete value, in JSON or XML, because responses have a name in two
 * parts.
 */
const holdsNames = (text: Sql, { names }: OfPerson): Sql =>
  names.length === 0
    ? sql`false`
    : sql`
      NOT EXISTS (SELECT FROM unnest(${names.map((name) => json(name.toLowerCase()))}::text[],
        ${names.map((name) => `>${escapeXml(name.toLowerCase())}<`)}::text[]) AS n (in_json, in_xml)
        WHERE strpos(lower(${text}), n.in_json) = 0 AND strpos(lower(${text}), n.in_xml) = 0)`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The audit action of an erasure: its entry has counts, and nothing about the person. */
export const ERASE = 'erase';

/**
 * Removes a person from the records that the kernel stores along with changes: audit entries keep who did what and
 * when, and lose the values; stored responses for repetitions and undeliverable email are deleted. Reads all entries of
 * the business, once.
 */
export async function forgetBeside(
  tx: Transaction,
  { tables, providerId, of, people }: Erasing & { readonly people: string },
): Promise<number> {
  const columns = [...new Set(tables.flatMap(({ naming }) => naming))];
  const needles = needlesOf(of);
  const ids = of.ids.map(String);
  const names = (side: string): Sql =>
    sql`EXISTS (SELECT FROM unnest(${columns}::text[]) AS name WHERE ${raw(side)} ->> name = ANY(${ids}::text[]))`;
  const [audited] = await tx.all([
    sql`UPDATE audit_entry a SET before = NULL, after = NULL
        WHERE a.provider_id = ${providerId} AND a.action <> ${ERASE} AND num_nonnulls(a.before, a.after) > 0 AND (
          (a.object = ${people} AND a.object_id = ANY(${of.ids}::bigint[])) OR ${names('a.before')}
          OR ${names('a.after')}
          OR ${mentions(sql`concat(a.before::text, a.after::text)`, needles)}) RETURNING 1 AS n`,
    sql`DELETE FROM idempotency_key k WHERE k.provider_id = ${providerId}
      AND (${mentions(sql`k.body`, needles)} OR ${holdsNames(sql`k.body`, of)})`,
    sql`DELETE FROM mail_outbox m WHERE m.provider_id = ${providerId}
        AND ${mentions(sql`concat(m.recipient, m.subject, m.text_part, m.html_part)`, needles)}`,
  ]);
  return audited.length;
}
