/**
 * The rules for migrations while processes of the previous release are serving: a migration may add, but not remove or
 * change what they use. Whether the additions are right is for the author to judge; this program only makes sure that
 * there is nothing else.
 */

/** Objects from earlier migrations: nothing uses a new table yet, and nothing calls a function with a new name. */
export interface Known {
  readonly tables: ReadonlySet<string>;
  /** parameters and result of each function, by name */
  readonly functions: ReadonlyMap<string, string>;
}

/** Returns the statements of a file, without comments and with single spaces. Quoted text is unchanged. */
export function statementsOf(text: string): string[] {
  const parts = text.match(/--[^\n]*|\/\*[^]*?\*\/|(\$\w*\$)[^]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^]/g) ?? [];
  const statements = [''];
  for (const part of parts) {
    if (part === ';') statements.push('');
    else if (part.startsWith('--') || part.startsWith('/*')) statements[statements.length - 1] += ' ';
    else statements[statements.length - 1] += /^\s$/.test(part) ? ' ' : part;
  }
  return statements.map((s) => s.replaceAll(/ {2,}/g, ' ').trim()).filter(Boolean);
}

const NAME = '(?:public\\.)?"?(\\w+)"?';
const CREATED_TABLE = new RegExp(`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${NAME}`, 'i');
const CREATED_FUNCTION = new RegExp(`^CREATE (OR REPLACE )?(?:FUNCTION|PROCEDURE) ${NAME} ?\\(`, 'i');

/** Returns the parameters and the result, which callers rely on. */
function signatureOf(statement: string): string {
  const from = statement.indexOf('(');
  let depth = 0;
  let to = from;
  for (; to < statement.length; to++) {
    if (statement[to] === '(') depth += 1;
    if (statement[to] === ')' && --depth === 0) break;
  }
  const returns = /^ ?RETURNS ((?:SETOF |TABLE ?\([^)]*\)|[\w.]+(?:\(\d+(?:,\d+)?\))?(?:\[\])?)+)/i.exec(
    statement.slice(to + 1),
  );
  return `${statement.slice(from, to + 1)} ${returns?.[1] ?? ''}`.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Returns the objects that these files create together. */
export function knownOf(texts: readonly string[]): Known {
  const tables = new Set<string>();
  const functions = new Map<string, string>();
  for (const statement of texts.flatMap(statementsOf)) {
    const table = CREATED_TABLE.exec(statement)?.[1];
    if (table !== undefined) tables.add(table.toLowerCase());
    const named = CREATED_FUNCTION.exec(statement)?.[2];
    if (named !== undefined) functions.set(named.toLowerCase(), signatureOf(statement));
  }
  return { tables, functions };
}

/**
 * Returns everything in an expanding migration that could break a process of the previous release, each as a sentence.
 */
export function breachesOf(text: string, before: Known): string[] {
  const known = { tables: new Set<string>(), functions: new Map(before.functions) };
  return statementsOf(text).flatMap((statement) => {
    const why = breachOf(statement, before.tables, known);
    return why === null ? [] : [`${why}: ${statement.slice(0, 100)}`];
  });
}

/**
 * Returns why a statement may break the previous release. `mine`: objects that this migration itself has created so
 * far, which it may change freely.
 */
function breachOf(
  statement: string,
  theirs: ReadonlySet<string>,
  mine: { tables: Set<string>; functions: Map<string, string> },
): string | null {
  const table = CREATED_TABLE.exec(statement)?.[1].toLowerCase();
  if (table !== undefined) {
    if (theirs.has(table)) return 'This table exists';
    mine.tables.add(table);
    return null;
  }
  const made = CREATED_FUNCTION.exec(statement);
  if (made) return functionBreach(statement, made[2].toLowerCase(), made[1] !== undefined, mine.functions);
  const target = targetOf(statement);
  if (target !== null && mine.tables.has(target)) return null;
  if (/^ALTER TABLE /i.test(statement)) return alterBreach(statement);
  if (/^CREATE UNIQUE INDEX /i.test(statement)) return 'A unique index refuses what the release before writes';
  const allowed =
    /^(CREATE (INDEX|TYPE|DOMAIN|SEQUENCE|VIEW|EXTENSION|TRIGGER|CONSTRAINT TRIGGER)|COMMENT ON|GRANT|INSERT INTO|UPDATE) /i;
  return allowed.test(statement) ? null : 'This is not something that only adds';
}

/** Returns the table of a statement. */
function targetOf(statement: string): string | null {
  const patterns = [
    `^ALTER TABLE (?:ONLY )?${NAME}`,
    `^CREATE (?:UNIQUE )?INDEX (?:\\w+ )?ON (?:ONLY )?${NAME}`,
    `^CREATE POLICY \\w+ ON ${NAME}`,
    `^CALL protect ?\\( ?'${NAME}'`,
  ];
  for (const pattern of patterns) {
    const found = new RegExp(pattern, 'i').exec(statement)?.[1];
    if (found !== undefined) return found.toLowerCase();
  }
  return null;
}

function functionBreach(statement: string, name: string, replaces: boolean, known: Map<string, string>): string | null {
  const [signature, was] = [signatureOf(statement), known.get(name)];
  known.set(name, signature);
  if (was === undefined) return null;
  if (!replaces) return 'A function of this name exists; a second one makes calls ambiguous';
  return signature === was ? null : 'The function is called in another way, or returns something else';
}

/** Checks every action of an ALTER TABLE: an action that adds does not excuse another one. */
function alterBreach(statement: string): string | null {
  const actions = commaSeparated(statement.replace(new RegExp(`^ALTER TABLE (?:ONLY )?${NAME} `, 'i'), ''));
  for (const action of actions) {
    const why = actionBreach(action);
    if (why !== null) return why;
  }
  return null;
}

const CONSTANT = /^('(?:[^']|'')*'|-?\d+(\.\d+)?|true|false|NULL|ARRAY\[\])(::[\w[\]]+)?(?= |$)/i;

function actionBreach(action: string): string | null {
  if (/^ADD CONSTRAINT /i.test(action))
    return / NOT VALID$/i.test(action) ? null : 'A constraint is added NOT VALID, and validated one release later';
  if (/^ADD (PRIMARY|UNIQUE|FOREIGN|CHECK|EXCLUDE)\b/i.test(action)) return 'Name the constraint, and add it NOT VALID';
  if (!/^ADD /i.test(action)) return 'The release before may use what this changes';
  const column = action.replace(/^ADD (COLUMN )?(IF NOT EXISTS )?/i, '');
  if (/\b(UNIQUE|PRIMARY KEY|GENERATED|CHECK)\b/i.test(column))
    return 'A new column is neither unique nor checked nor generated';
  const fallback = /\bDEFAULT (.*)$/i.exec(column)?.[1];
  if (fallback !== undefined && !CONSTANT.test(fallback)) return 'The default of a new column is a constant';
  if (/\bNOT NULL\b/i.test(column) && (fallback === undefined || /^NULL\b/i.test(fallback)))
    return 'The release before writes rows without this column: it needs a default, or may be NULL';
  return null;
}

/** Splits at commas outside of parentheses, brackets and quotes. */
function commaSeparated(text: string): string[] {
  const parts = text.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[^]/g) ?? [];
  const found = [''];
  let depth = 0;
  for (const part of parts) {
    if ('(['.includes(part)) depth += 1;
    if (')]'.includes(part)) depth -= 1;
    if (part === ',' && depth === 0) found.push('');
    else found[found.length - 1] += part;
  }
  return found.map((action) => action.trim());
}
