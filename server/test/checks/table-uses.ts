/** The tables that each file of the service uses, and how: from its SQL and its calls of the plain writes. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTest } from './import-rules.ts';
import { parseLiterals, type Hole, type Literal } from './literals.ts';
import { FRAGMENT, NAME, usesOf, type Use } from './sql-uses.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface FileUse extends Use {
  readonly file: string;
}

/** Returns the files of the service, without its tests. */
export function serviceFiles(): string[] {
  const files = globSync('server/**/*.ts', { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isTest(file));
  if (files.length === 0) throw new Error('no source file was found: nothing would be checked');
  return files.toSorted();
}

export const projectUses = (): FileUse[] =>
  serviceFiles().flatMap((file) =>
    usesInSource(readFileSync(join(ROOT, file), 'utf8')).map((use) => ({ ...use, file })),
  );

/**
 * A plain write of `kernel/base/db`, or the row that a work says it changes: the table is its first or second argument.
 */
const CALL =
  /\b(?:(insertRow|updateRow|deleteRow|replaceLinks|putInOrder|lockRows)(?:<[^>]+>)?\(\s*[^,()]+,|\.touch\()\s*(?:'(\w+)'|[^\s,)])/g;

/** A link or a resource that names its table: the kernel reads it for the area. */
const DECLARED = /\btable: '([^']+)'/g;

/** Returns every use of a table in one source. */
export function usesInSource(source: string): Use[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [
    ...parseLiterals(source).flatMap(usesInLiteral),
    ...[...code.matchAll(CALL)].map(([, call, table]): Use => ({
      verb: call === 'lockRows' ? 'locks' : 'writes',
      table: table ?? null,
    })),
    ...[...code.matchAll(DECLARED)].flatMap(([, table]): Use[] =>
      table.startsWith('(') ? [] : [{ verb: 'reads', table }],
    ),
  ];
}

const isSql = (literal: Literal): boolean => literal.before === 'sql';

/** Keywords in capitals that only SQL begins with. */
const LOOKS_LIKE_SQL =
  /(?:^|[\s(])(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|COPY|FROM|JOIN|FOR (?:NO KEY )?UPDATE|FOR (?:KEY )?SHARE)\b/;

function usesInLiteral(literal: Literal): Use[] {
  const inside = literal.holes.flatMap((hole) =>
    hole.literals.filter((one) => !partsOf(hole).includes(one)).flatMap(usesInLiteral),
  );
  const text = textOf(literal);
  if (!isSql(literal) && !LOOKS_LIKE_SQL.test(text)) return inside;
  // A fragment may continue the FROM of another one: `customer c JOIN …`, `customer_membership_hold h WHERE …`.
  const asTable = /^\s*[a-z_]+(?:\s+(?:AS\s+)?[a-z]\w*)?\s+(?:(?:LEFT )?JOIN|WHERE)\b/.test(text);
  return [...usesOf(asTable ? `FROM ${text}` : text, { upper: !isSql(literal) }), ...inside];
}

/** Returns the literals of a hole that become part of the surrounding statement. */
const partsOf = ({ code, literals }: Hole): readonly Literal[] =>
  code.startsWith('raw(') ? literals : literals.filter((one) => isSql(one) || one.before === 'raw(');

/** Returns the text of a literal, including the fragments in its holes. */
const textOf = (literal: Literal): string =>
  literal.texts.map((text, i) => (i === 0 ? text : `${inPlace(literal, literal.holes[i - 1])}${text}`)).join('');

function inPlace(literal: Literal, hole: Hole): string {
  const parts = partsOf(hole).map(textOf);
  if (parts.length > 0) return parts.join(' ');
  return !isSql(literal) || /^(?:raw|column)\(/.test(hole.code) ? NAME : FRAGMENT;
}
