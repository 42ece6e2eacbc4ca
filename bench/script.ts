/** Turns what a request sends to the database into a pgbench script: the same texts, the same parameters. */
import type { Command } from '../server/kernel/db/batch.ts';

export interface Substitution {
  /** text of a parameter as the request sent it */
  readonly value: string;
  /** SQL in its place, over variables of the script */
  readonly by: string;
}

/**
 * `round trips`: pgbench's ordinary way, one statement and one answer at a time. What the request sends as one implicit
 * transaction stands between BEGIN and COMMIT, for the business that it sets lasts as long as its transaction.
 * `pipelined`: the writes of the request, each sent as a whole, as the service itself does it.
 */
export type Shape = 'round trips' | 'pipelined';

export interface Script {
  readonly script: string;
  /** values of the parameters that are the same in every run */
  readonly vars: Readonly<Record<string, string>>;
}

/**
 * `writes`: what statementsOf saw. `prelude`: `\set` lines that choose the values of one run. Throws when a
 * substitution has no place: then the script would do the same thing over and over again.
 */
export function scriptOf(
  writes: readonly (readonly Command[])[],
  substitutions: readonly Substitution[],
  prelude: string,
  shape: Shape,
): Script {
  const vars: Record<string, string> = {};
  const used = new Set<Substitution>();
  const line = ({ statement, values }: Command): string =>
    `${statement.text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/\$(\d+)/g, (_, n) => parameter(values[Number(n) - 1], substitutions, used, vars))};`;
  const groups = writes.map((commands) => commands.map(line));
  for (const substitution of substitutions) {
    if (!used.has(substitution)) throw new Error(`no parameter of the request is ${substitution.value}`);
  }
  const explicit = groups[0][0] === 'BEGIN;';
  const lines =
    shape === 'pipelined'
      ? groups.flatMap((group) => ['\\startpipeline', ...group, '\\endpipeline'])
      : [...(explicit ? [] : ['BEGIN;']), ...groups.flat(), ...(explicit ? [] : ['COMMIT;'])];
  return { script: `${[prelude, ...lines].filter(Boolean).join('\n')}\n`, vars };
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
  const known = Object.entries(vars).find(([, v]) => v === value);
  if (known) return `:${known[0]}`;
  const name = `v${Object.keys(vars).length + 1}`;
  vars[name] = value;
  return `:${name}`;
}
