/** Converts the statements of a request into a pgbench script: the same texts, the same parameters. */
import type { Command } from '../../server/kernel/base/db/sharing/batch.ts';

export interface Substitution {
  /** text of a parameter as the request sent it */
  readonly value: string;
  /** SQL that replaces it, over variables of the script */
  readonly by: string;
  /** for a number: also replaced within a list, a JSON text or a key */
  readonly within?: true;
}

/**
 * Columns of a statement's rows as variables of the script: their names begin with this prefix, and end with the number
 * of the row if there are several.
 */
export interface Taken {
  readonly statement: Command;
  readonly prefix: string;
  readonly rows: number;
}

/**
 * `round trips`: pgbench's ordinary way, one statement and one response at a time. Statements that the request sends as
 * one implicit transaction are put between BEGIN and COMMIT, since the business that is set lasts as long as its
 * transaction. `pipelined`: the writes of the request, each sent as a whole, as the service itself does it.
 */
export type Shape = 'round trips' | 'pipelined';

export interface Script {
  readonly script: string;
  /** values of the parameters that are the same in every run */
  readonly vars: Readonly<Record<string, string>>;
}

/**
 * Builds the script. `writes`: the result of statementsOf; transactions begin and end where they did. `prelude`: `\set`
 * lines that choose the values of one run. `taken`: values taken from responses, which pgbench can't do in a pipeline.
 * Throws if a substitution matches nothing: otherwise the script would do the same thing over and over again.
 */
export function scriptOf(
  writes: readonly (readonly Command[])[],
  substitutions: readonly Substitution[],
  prelude: string,
  shape: Shape,
  taken: readonly Taken[] = [],
): Script {
  if (shape === 'pipelined' && taken.length > 0) throw new Error('a pipeline cannot use values from earlier responses');
  const vars: Record<string, string> = {};
  const used = new Set<Substitution>();
  const line = (command: Command): string => {
    const { statement, values } = command;
    const of = RECORDS.test(statement.text) ? substitutions.filter(({ within }) => !within) : substitutions;
    const text = quotedColons(statement.text.trim().replace(/\s+/g, ' ')).replace(/\$(\d+)/g, (_, n) =>
      parameter(values[Number(n) - 1], of, used, vars),
    );
    const as = taken.find((one) => one.statement === command);
    return as ? `${as.rows > 1 ? oneRow(text, command, as.rows) : text} \\gset ${as.prefix}` : `${text};`;
  };
  const groups = writes.map((commands) => commands.map(line));
  for (const substitution of substitutions) {
    if (!used.has(substitution)) throw new Error(`no parameter of the request is ${substitution.value}`);
  }
  const lines =
    shape === 'pipelined'
      ? groups.flatMap((group) => ['\\startpipeline', ...group, '\\endpipeline'])
      : withBorders(groups);
  return { script: `${[prelude, ...lines].filter(Boolean).join('\n')}\n`, vars };
}

/** Joins several rows into the columns of one, since `\gset` reads one row. */
function oneRow(text: string, { statement }: Command, rows: number): string {
  const columns = statement.columns!.flatMap(({ name }) =>
    Array.from({ length: rows }, (_, n) => `(array_agg(${name}))[${n + 1}] AS ${name}_${n + 1}`),
  );
  return `WITH answered AS (${text}) SELECT ${columns.join(', ')} FROM answered`;
}

/** The content of feed items and audit entries stays as captured. */
const RECORDS = /^\s*INSERT INTO (feed_item|audit_entry)\b/;

/** Escapes colons within quotes, since pgbench treats `:name` as a variable there too. */
const quotedColons = (text: string): string =>
  text.replace(/'[^']*'/g, (quoted) =>
    /:\w/.test(quoted) ? `(${quoted.replace(/:(?=\w)/g, "' || chr(58) || '")})` : quoted,
  );

/** Puts the statements of an implicit transaction between BEGIN and COMMIT. */
function withBorders(groups: readonly (readonly string[])[]): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const group of groups) {
    isOpen ||= group[0].startsWith('BEGIN');
    lines.push(...(isOpen ? group : ['BEGIN;', ...group, 'COMMIT;']));
    if (group.at(-1) === 'COMMIT;') isOpen = false;
  }
  return lines;
}

function parameter(
  value: string | null,
  substitutions: readonly Substitution[],
  used: Set<Substitution>,
  vars: Record<string, string>,
): string {
  if (value === null) return 'NULL';
  const replaced = substitutions.find((s) => s.value === value);
  if (replaced) {
    used.add(replaced);
    return replaced.by;
  }
  const inside = substitutions.filter((s) => s.within && numberIn(s.value).test(value));
  for (const one of inside) used.add(one);
  if (inside.length > 0 && /^\{[\d,]+\}$/.test(value))
    return `ARRAY[${value
      .slice(1, -1)
      .split(',')
      .map((n) => inside.find((s) => s.value === n)?.by ?? n)
      .join(', ')}]::bigint[]`;
  const asVariable = constant(value, vars);
  if (inside.length === 0) return asVariable;
  const within = inside.reduce(
    (text, s) => `replace(${text}, ${quotedColons(`'${s.value}'`)}, (${s.by})::text)`,
    `${asVariable}::text`,
  );
  return /^(\[|\{"[^"]*":)/.test(value) ? `${within}::json` : within;
}

const numberIn = (value: string): RegExp => new RegExp(`(?<!\\d)${value}(?!\\d)`);

function constant(value: string, vars: Record<string, string>): string {
  const known = Object.entries(vars).find(([, v]) => v === value);
  if (known) return `:${known[0]}`;
  const name = `v${Object.keys(vars).length + 1}`;
  vars[name] = value;
  return `:${name}`;
}
