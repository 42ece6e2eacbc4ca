/**
 * Prints the rows of all tables as types, so that code that reads a whole row declares none of its own. The source is
 * the migrations: `CREATE TABLE` says which columns there are, of which type, whether they may be NULL, and which words
 * a text may be. None of the output is committed.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, 'server', 'kernel', 'base', 'db', 'rows.ts');

/** Types of values as the database layer reads them; other types are text. */
const READ_AS: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  int: 'number',
  smallint: 'number',
  timestamptz: 'number',
  double: 'number',
  boolean: 'boolean',
  jsonb: 'any',
};

export interface Column {
  readonly name: string;
  /** name of the type in SQL, without brackets */
  readonly type: string;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  /** the allowed words of a text; null: any text */
  readonly words: readonly string[] | null;
}

/** Splits at commas outside of brackets and quotes. */
function partsOf(body: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of body.match(/'(?:[^']|'')*'|[^']/g) ?? []) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim());
}

function columnOf(text: string, keys: ReadonlySet<string>): Column {
  const [, name, type, brackets] = /^(\w+)\s+(\w+)(?:\([^)]*\))?(\[\])?/.exec(text)!;
  const outside = text.replaceAll(/CHECK \(.*\)/gs, '');
  const words = new RegExp(`CHECK \\(${name} IN \\(([^)]*)\\)\\)`).exec(text)?.[1];
  return {
    name,
    type,
    isArray: brackets !== undefined,
    isNullable: !/\bNOT NULL\b|\bPRIMARY KEY\b|\bAS IDENTITY\b/.test(outside) && !keys.has(name),
    words: words === undefined ? null : [...words.matchAll(/'([^']*)'/g)].map(([, word]) => word),
  };
}

/** Returns the columns of each table that the migrations create, in their order. */
export function tablesIn(sql: string): Map<string, Column[]> {
  const tables = new Map<string, Column[]>();
  const plain = sql.replaceAll(/--.*$/gm, '');
  for (const [, table, body] of plain.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n([^]*?)\n\)[^;]*;/gm)) {
    const parts = partsOf(body);
    const keys = new Set(
      parts.flatMap((part) => /^(?:CONSTRAINT \w+ )?PRIMARY KEY \(([^)]*)\)/.exec(part)?.[1].split(/,\s*/) ?? []),
    );
    const columns = parts.filter((part) => /^[a-z]\w* /.test(part)).map((part) => columnOf(part, keys));
    tables.set(table, columns);
  }
  for (const [, table, text] of plain.matchAll(/^ALTER TABLE (\w+)\s+ADD COLUMN ([^;]*);/gm))
    tables.get(table)!.push(columnOf(text, new Set()));
  return tables;
}

export const migrations = (): string =>
  globSync('db/migrations/*.sql', { cwd: ROOT })
    .toSorted()
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');

function typeOf({ type, isArray, isNullable, words }: Column): string {
  const one = words
    ? words.map((word) => `'${word}'`).join(' | ')
    : (READ_AS[isArray && type === 'smallint' ? '' : type] ?? 'string');
  return `${isArray ? `readonly ${words ? `(${one})` : one}[]` : one}${isNullable && one !== 'any' ? ' | null' : ''}`;
}

/** Returns the source of a file that exports `Rows`, by name of table, and `Row`. */
export const printRows = (tables: ReadonlyMap<string, readonly Column[]>): string => `\
/** Printed by server/test/row-types.ts. */
export interface Rows {
${[...tables]
  .map(
    ([table, columns]) =>
      `  ${table}: {\n${columns.map((column) => `    readonly ${column.name}: ${typeOf(column)};\n`).join('')}  };\n`,
  )
  .join('')}}

/**
 * A whole row of a table, as \`SELECT *\` returns it: instants are epoch milliseconds, days and local times are text.
 * \`Own\` says more about some columns: the shape of a document, or the meaning of a number.
 */
export type Row<Table extends keyof Rows, Own extends { readonly [Column in keyof Rows[Table]]?: unknown } = {}> = Omit<
  Rows[Table],
  keyof Own
> &
  Own;
`;

if (process.argv[1] === import.meta.filename) writeFileSync(OUT, printRows(tablesIn(migrations())));
