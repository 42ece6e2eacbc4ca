/**
 * A row for each table that is still empty, made from the catalog: required columns get the plainest value of their
 * type or the first one that a check allows, and references lead to a row of the same business.
 */
import pg from 'pg';
import { storedTables } from '../../kernel/base/db/backups/backup-catalog.ts';
import { qualified, quote } from '../../kernel/base/db/quote.ts';

/** A row may need one of another table first. */
const ROUNDS = 4;

/** The plainest value by type; others are left out, and the row is refused if it needs them. */
const PLAIN: Readonly<Record<string, string>> = {
  text: `'x'`,
  bigint: '1',
  integer: '1',
  smallint: '1',
  numeric: '1',
  boolean: 'false',
  uuid: 'gen_random_uuid()',
  // as long as a hash
  bytea: `decode(repeat('00', 32), 'hex')`,
  json: `'{}'`,
  jsonb: `'{}'`,
  date: `now()::date`,
  'timestamp with time zone': 'now()',
  'timestamp without time zone': 'now()::timestamp',
  'time without time zone': `'10:00'`,
  interval: `'1 hour'`,
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

interface Reference {
  readonly columns: readonly string[];
  readonly target: string;
  readonly targets: readonly string[];
}

/** Columns that only a check over several of them requires. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = { guest_booking: ['event_id'] };

/** Values that agree with those of other rows, as the invariants demand. */
const AGREEING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account_entry_fee: { amount_minor: '0' },
  discount_code_use: { state: `'used'`, amount_minor: '0', used_at: 'now()' },
};

/**
 * Fills the empty tables that it can, at one business, except those in `without`. Returns the others, each with the
 * reason.
 */
export async function fillEmptyTables(
  url: string,
  provider: number,
  without: ReadonlySet<string>,
): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: Record<string, string> = {};
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const table of await storedTables(client)) {
        if (table.schema !== 'public' || without.has(table.name)) continue;
        const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${qualified(table)}) AS filled`);
        delete refused[table.name];
        if (rows[0].filled) continue;
        const why = await fillOne(client, table.name, provider);
        if (why !== null) refused[table.name] = why;
      }
    return refused;
  } finally {
    await client.end();
  }
}

/** Returns null if the row was inserted, or why it was not. */
async function fillOne(client: pg.Client, table: string, provider: number): Promise<string | null> {
  const columns = await columnsOf(client, table);
  const allowed = await allowedValues(client, table);
  const values = new Map(Object.entries(AGREEING[table] ?? {}));
  if (columns.some(({ name }) => name === 'provider_id')) values.set('provider_id', String(provider));
  const isRequired = ({ name, required }: Column): boolean => required || (REQUIRED[table] ?? []).includes(name);
  for (const column of columns) {
    const { name, type } = column;
    if (!isRequired(column) || values.has(name)) continue;
    const value = allowed.get(name) ?? (type.endsWith('[]') ? `'{}'` : PLAIN[type]);
    if (value !== undefined) values.set(name, value);
  }
  const required = new Set(columns.filter(isRequired).map(({ name }) => name));
  const used = new Map<string, number>();
  for (const { columns: own, target, targets } of await referencesOf(client, table)) {
    if (!own.some((name) => name !== 'provider_id' && required.has(name))) continue;
    const business = targets.includes('provider_id') ? `WHERE provider_id = ${provider}` : '';
    // Two references to the same table lead to two rows, such as two venues.
    const nth = used.get(target) ?? 0;
    used.set(target, nth + 1);
    const { rows } = await client.query(
      `SELECT ${targets.map((name) => `quote_literal(${quote(name)}::text) AS ${quote(name)}`).join(', ')}
       FROM ${quote(target)} ${business} ORDER BY ${targets.map(quote).join(', ')} LIMIT 1 OFFSET ${nth}`,
    );
    if (rows.length === 0) return `there is no ${nth === 0 ? '' : 'other '}${target}`;
    for (const [at, name] of own.entries()) values.set(name, rows[0][targets[at]]);
  }
  const names = [...values.keys()].map(quote).join(', ');
  try {
    await client.query(`INSERT INTO public.${quote(table)} (${names}) VALUES (${[...values.values()].join(', ')})`);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the columns; `required` have neither a default nor an identity, and may not be NULL. */
async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT attname::text AS name, regexp_replace(format_type(atttypid, atttypmod), '\\(.*\\)', '') AS type,
       attnotnull AND NOT atthasdef AND attidentity = '' AND attgenerated = '' AS required
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`public.${table}`],
  );
  return rows;
}

/** Returns the first value of each column that a check limits to a list. */
async function allowedValues(client: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [`public.${table}`],
  );
  return new Map(
    rows.flatMap(({ text }) => {
      const [, column, value] = /^CHECK \(\((\w+) = ANY \(ARRAY\[('[^']*')/.exec(text) ?? [];
      return column === undefined ? [] : [[column, value] as const];
    }),
  );
}

async function referencesOf(client: pg.Client, table: string): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `SELECT t.relname::text AS target,
       (SELECT json_agg(a.attname ORDER BY k.n) FROM unnest(c.conkey) WITH ORDINALITY k (num, n)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num) AS columns,
       (SELECT json_agg(a.attname ORDER BY k.n) FROM unnest(c.confkey) WITH ORDINALITY k (num, n)
        JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num) AS targets
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.conrelid = $1::regclass AND c.contype = 'f' AND c.conparentid = 0 ORDER BY c.conkey`,
    [`public.${table}`],
  );
  return rows;
}
