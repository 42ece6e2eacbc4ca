/** Turns what a request sends to the database into a pgbench script: the same texts, the same parameters, the same round trips. */
import type { Command } from '../server/kernel/db/batch.ts';

export interface Substitution {
  /** text of a parameter as the request sent it */
  readonly value: string;
  /** SQL in its place, over variables of the script */
  readonly by: string;
}

export interface Script {
  readonly script: string;
  readonly vars: Record<string, string>;
}

/** `prelude`: `\set` lines that choose this run's values. Parameters that are not substituted keep their value. */
export function scriptOf(writes: readonly (readonly Command[])[], substitutions: readonly Substitution[], prelude: string): Script {
  const vars: Record<string, string> = {};
  const lines = [prelude];
  for (const commands of writes) {
    lines.push('\\startpipeline');
    for (const { statement, values } of commands) {
      const text = statement.text.replace(/\s+/g, ' ').replace(/\$(\d+)/g, (_, n) => parameter(values[Number(n) - 1], substitutions, vars));
      lines.push(`${text};`);
    }
    lines.push('\\endpipeline');
  }
  return { script: `${lines.join('\n')}\n`, vars };
}

function parameter(value: string | null, substitutions: readonly Substitution[], vars: Record<string, string>): string {
  if (value === null) return 'NULL';
  const replaced = substitutions.find((s) => s.value === value);
  if (replaced) return replaced.by;
  const known = Object.entries(vars).find(([, v]) => v === value);
  if (known) return `:${known[0]}`;
  const name = `v${Object.keys(vars).length + 1}`;
  vars[name] = value;
  return `:${name}`;
}
