/**
 * Finds the ids that the database generated for a captured request and that later statements used: a replay uses its
 * own.
 */
import type { Exchange } from '../kit/installation.ts';
import type { Substitution, Taken } from '../kit/script.ts';

/** The ids are consecutive numbers from `FIRST`, which occur nowhere else in the captured statements. */
export const FIRST = 800_000_000;
const NUMBERS = 100_000_000;

/** Maps each id to the response in which it appeared first. Throws if an id was sent that no response contained. */
export function idsTaken(exchanges: readonly Exchange[]): {
  readonly substitutions: Substitution[];
  readonly taken: Taken[];
} {
  const substitutions: Substitution[] = [];
  const taken = new Map<Taken['statement'], Taken>();
  const known = new Map<string, () => void>();
  const used = new Set<string>();
  for (const { commands, answers } of exchanges)
    for (const [n, command] of commands.entries()) {
      for (const id of idsIn(command.values)) {
        if (used.has(id)) continue;
        used.add(id);
        const take = known.get(id);
        if (!take) throw new Error(`the source of ${id} is unknown, which ${command.statement.text} is sent`);
        take();
      }
      const { rows } = answers[n];
      for (const [row, values] of rows.entries())
        for (const [column, value] of values.entries()) {
          if (value === null || !isId(value) || known.has(value)) continue;
          known.set(value, () => {
            const one = taken.get(command) ?? { statement: command, prefix: `t${taken.size + 1}_`, rows: rows.length };
            taken.set(command, one);
            const { name } = command.statement.columns![column];
            const which = rows.length > 1 ? `${name}_${row + 1}` : name;
            substitutions.push({ value, by: `:${one.prefix}${which}`, within: true });
          });
        }
    }
  return { substitutions, taken: [...taken.values()] };
}

const isId = (text: string): boolean => /^\d{9}$/.test(text) && Number(text) >= FIRST && Number(text) < FIRST + NUMBERS;

const idsIn = (values: readonly (string | null)[]): string[] =>
  values.flatMap((value) => (value ?? '').match(/\d+/g) ?? []).filter(isId);
