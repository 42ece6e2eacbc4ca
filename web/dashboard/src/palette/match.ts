/** Finds commands by what people type, in any of the languages. Pure. */
import printed from './commands.json' with { type: 'json' };

export interface Command {
  readonly name: string;
  /** below `/dashboard/{business}/`, with its query */
  readonly path: string;
  /** any of these permissions */
  readonly needs: readonly string[];
  /** true: the address takes the day that was typed */
  readonly takesDay?: boolean;
  /** what people call it, in each language */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

export const COMMANDS: readonly Command[] = printed;

/** Removes case and diacritics, which people leave out when they search. */
export const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('Ł', 'l').toLowerCase().trim();

const wordsOf = (text: string): string[] => plain(text).split(/\s+/).filter(Boolean);

/** Names of weekdays in every language, from Monday. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  Object.keys(COMMANDS[0].words).flatMap((language) =>
    [1, 2, 3, 4, 5, 6, 7].map((day): [string, number] => [
      // The first of January 2024 was a Monday.
      plain(new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))),
      day,
    ]),
  ),
);

export interface Typed {
  /** the text without the day */
  readonly text: string;
  /** the next date of the weekday that was typed, as `2026-11-27`; null: none */
  readonly day: string | null;
}

/** Splits `close Friday` into `close` and the next Friday from `today` on. */
export function readDay(text: string, today: string): Typed {
  const words = text.trim().split(/\s+/);
  const at = words.findIndex((word) => WEEKDAYS.has(plain(word)));
  if (at < 0) return { text, day: null };
  const start = Date.parse(`${today}T00:00:00Z`);
  // `on Friday`, `am Freitag`, `le vendredi`
  const from = at > 0 && words.length > 2 && words[at - 1].length <= 3 ? at - 1 : at;
  const ahead = (WEEKDAYS.get(plain(words[at]))! - (new Date(start).getUTCDay() || 7) + 7) % 7;
  return {
    text: words.toSpliced(from, at - from + 1).join(' '),
    day: new Date(start + ahead * 86_400_000).toISOString().slice(0, 10),
  };
}

/** 3: somebody calls it exactly this; 2: a name begins with it; 1: each word begins a word of a name; 0: none */
function rank(wanted: string, names: readonly string[]): number {
  if (names.includes(wanted)) return 3;
  if (names.some((name) => name.startsWith(wanted))) return 2;
  const words = wanted.split(/\s+/);
  const fits = (name: string): boolean =>
    words.every((word) => name.split(/[\s-]+/).some((one) => one.startsWith(word)));
  return names.some(fits) ? 1 : 0;
}

/** Returns the commands that match, best first. `labelOf`: the label that is shown, which matches too */
export function matching(
  text: string,
  commands: readonly Command[],
  labelOf: (command: Command) => string,
): readonly Command[] {
  const wanted = wordsOf(text).join(' ');
  if (wanted === '') return [];
  return commands
    .map((command) => {
      const names = [labelOf(command), ...Object.values(command.words).flat()].map(plain);
      return { command, rank: rank(wanted, names) };
    })
    .filter((one) => one.rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command);
}
