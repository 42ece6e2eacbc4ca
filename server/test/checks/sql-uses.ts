/**
 * Finds the tables that SQL text uses, and how. It reads tokens, not the whole grammar, because most SQL here is a
 * fragment with holes that no parser accepts.
 */

export type Verb = 'writes' | 'locks' | 'reads';

export interface Use {
  readonly verb: Verb;
  /** null if the table name is a hole */
  readonly table: string | null;
}

/** Placeholder for a fragment that is written and checked elsewhere, and for a value. */
export const FRAGMENT = '$fragment';

/** Placeholder for a name that is known only at run time. */
export const NAME = '$name';

const TOKEN = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"[^"]+"|\$\w+|[A-Za-z_][\w$]*|\d[\w.]*|[^\s]/g;

/** Keywords that end a list of tables. */
const AFTER_TABLES = new Set(
  'WHERE GROUP ORDER HAVING LIMIT OFFSET FETCH WINDOW UNION EXCEPT INTERSECT RETURNING SET SELECT VALUES FOR'.split(
    ' ',
  ),
);
const NOT_AN_ALIAS = new Set([
  ...AFTER_TABLES,
  ...'ON USING JOIN LEFT RIGHT FULL INNER CROSS NATURAL LATERAL WITH TABLESAMPLE DO WHEN AND OR'.split(' '),
]);

interface Named {
  readonly table: string | null;
  readonly alias: string;
}

/** The tables at one level of parentheses. */
interface Level {
  inTables: boolean;
  named: Named[];
}

/**
 * Returns every use of a table in a text; `upper`: only words in capitals are keywords, for prose that mentions them.
 */
export function usesOf(text: string, { upper = false } = {}): Use[] {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(--|\/\*)/.test(token));
  const keywords = tokens.map((token) => (upper ? token : token.toUpperCase()));
  const common = new Set(keywords.flatMap((word, i) => commonName(word, i)));
  const uses: Use[] = [];
  const levels: Level[] = [{ inTables: false, named: [] }];

  function commonName(word: string, i: number): string[] {
    if (word !== 'AS') return [];
    const opens = ['NOT', 'MATERIALIZED'].includes(keywords[i + 1]) ? keywords.indexOf('(', i) : i + 1;
    if (keywords[opens] !== '(' || opens > i + 3) return [];
    let name = i - 1;
    if (tokens[name] === ')') while (name > 0 && tokens[name] !== '(') name -= 1;
    return [tokens[tokens[i - 1] === ')' ? name - 1 : name]];
  }

  /**
   * Returns the table named at a position, with its alias; undefined for a function, a subselect or a common table
   * expression.
   */
  function namedAt(verb: Verb, place: number): Named | undefined {
    let at = place;
    while (['ONLY', 'LATERAL', 'TABLE'].includes(keywords[at])) at += 1;
    if (tokens[at + 1] === '.') at += 2;
    const name = tokens[at]?.replaceAll('"', '');
    if (name === undefined || tokens[at + 1] === '.') return undefined;
    if (name === FRAGMENT && verb === 'reads') return undefined;
    const table = name === NAME || name === FRAGMENT ? null : name;
    if (table !== null && !/^[a-z_]\w*$/.test(table)) return undefined;
    if (tokens[at + 1] === '(' && keywords[place - 1] !== 'INTO') return undefined;
    if (common.has(name)) return undefined;
    const next = keywords[at + 1] === 'AS' ? at + 2 : at + 1;
    const alias = /^[a-z_]\w*$/i.test(tokens[next] ?? '') && !NOT_AN_ALIAS.has(keywords[next]) ? tokens[next] : name;
    return { table, alias };
  }

  function use(verb: Verb, place: number): void {
    const named = namedAt(verb, place);
    if (!named) return;
    levels.at(-1)!.named.push(named);
    uses.push({ verb, table: named.table });
  }

  function lock(place: number): void {
    const here = levels.at(-1)!.named;
    const locked = keywords[place] === 'OF' ? aliasesAt(place + 1) : here.map((one) => one.alias);
    if (locked.length === 0) uses.push({ verb: 'locks', table: null });
    for (const alias of new Set(locked))
      uses.push({ verb: 'locks', table: here.find((one) => one.alias === alias)?.table ?? null });
  }

  function aliasesAt(place: number): string[] {
    const rest = tokens.slice(place);
    const end = rest.findIndex((token, i) => (i % 2 === 1 ? token !== ',' : token === ','));
    return (end < 0 ? rest : rest.slice(0, end)).filter((token) => token !== ',');
  }

  tokens.forEach((token, i) => {
    const [word, before, level] = [keywords[i], keywords[i - 1], levels.at(-1)!];
    if (token === '(') levels.push({ inTables: false, named: [] });
    else if (token === ')') {
      // A fragment may close a parenthesis that another one opened.
      if (levels.length > 1) levels.pop();
    } else if (word === 'FROM' && !['DISTINCT', 'DELETE'].includes(before)) {
      level.inTables = true;
      use('reads', i + 1);
    } else if (word === 'JOIN' || (word === 'USING' && tokens[i + 1] !== '(')) {
      level.inTables = true;
      use('reads', i + 1);
    } else if (token === ',' && level.inTables) use('reads', i + 1);
    else if (word === 'INTO' && ['INSERT', 'MERGE'].includes(before)) use('writes', i + 1);
    else if (word === 'UPDATE' && !['FOR', 'KEY', 'DO', 'ON', 'THEN'].includes(before)) use('writes', i + 1);
    else if (word === 'DELETE' && keywords[i + 1] === 'FROM') use('writes', i + 2);
    else if (word === 'TRUNCATE' || word === 'COPY' || (word === 'TABLE' && before === 'LOCK')) use('writes', i + 1);
    else if (word === 'FOR') {
      const length = LOCKS.find((words) => words.every((one, n) => keywords[i + 1 + n] === one))?.length;
      if (length !== undefined) lock(i + 1 + length);
    }
    if (AFTER_TABLES.has(word)) level.inTables = false;
  });
  return uses;
}

const LOCKS = ['NO KEY UPDATE', 'KEY SHARE', 'UPDATE', 'SHARE'].map((words) => words.split(' '));
