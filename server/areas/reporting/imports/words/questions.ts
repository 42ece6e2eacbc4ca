/**
 * The words of a file whose meaning decides what becomes of its rows: those with a known meaning, and those that are
 * questions. Each word is a question once, however many rows have it. Pure.
 */
import { plainName, type KindName } from '../columns/index.ts';
import { isNothing, shortened } from '../cell.ts';
import { WORD_PROPERTIES, type WordProperty } from './status-words.ts';
import type { ColumnOf } from '../column.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

/** A word of a file, as stored with its import. */
export interface Word {
  readonly property: string;
  /** as in the first row that has it; empty for empty cells */
  readonly value: string;
  readonly rows: number;
  /** null: nobody has said what it means */
  readonly meaning: string | null;
  /** true if a person chose the meaning */
  readonly answered: boolean;
}

/** A column with more words than this isn't a state: the rows with its rarer words are left out. */
export const MAX_WORDS = 60;

const keyOf = (text: string): string => plainName(text) || text.trim();

const wordOf = (text: string): string => (isNothing(text.trim()) ? '' : text.trim());

const known = new WeakMap<WordProperty, Map<string, string>>();

/** Returns the meaning of a word; null if it isn't certain. A word with two meanings has none. */
export function meaningOf(property: WordProperty, text: string): string | null {
  if (text.trim() === '') return property.empty;
  let table = known.get(property);
  if (!table) {
    table = new Map(
      Object.entries(property.words).flatMap(([meaning, words]) =>
        words.map((word) => [keyOf(word), meaning] as const),
      ),
    );
    known.set(property, table);
  }
  return table.get(keyOf(text)) ?? null;
}

/** Returns true for a cell that nobody is asked about; an empty one is a question only among words. */
const isValueOf = ({ isValue, empty }: WordProperty, value: string): boolean =>
  isValue !== undefined && (value === '' ? empty !== null : isValue(value));

/** Returns the words of the file, those without a meaning and those of most rows first. Earlier answers stay. */
export function wordsIn(
  kind: KindName,
  columns: readonly ColumnOf[],
  rows: Iterable<CsvRow>,
  before: readonly Word[] = [],
): Word[] {
  const asked = columns.flatMap(({ property }, at) => {
    const of = property === null ? undefined : WORD_PROPERTIES[kind][property];
    return of ? [{ property: property!, of, at, found: new Map<string, { value: string; rows: number }>() }] : [];
  });
  if (asked.length === 0) return [];
  for (const { cells } of rows)
    for (const { at, of, found } of asked) {
      const value = wordOf(cells[at] ?? '');
      if (isValueOf(of, value)) continue;
      const one = found.get(keyOf(value));
      if (one) one.rows++;
      else found.set(keyOf(value), { value: shortened(value), rows: 1 });
    }
  return asked
    .flatMap(({ property, of, found }) =>
      [...found]
        .toSorted(([, a], [, b]) => b.rows - a.rows)
        .slice(0, MAX_WORDS)
        .map(([key, { value, rows: many }]): Word => {
          const said = before.find((one) => one.answered && one.property === property && keyOf(one.value) === key);
          const meaning = said && of.meanings.includes(said.meaning!) ? said.meaning : null;
          return {
            property,
            value,
            rows: many,
            meaning: meaning ?? meaningOf(of, value),
            answered: meaning !== null,
          };
        }),
    )
    .toSorted((a, b) => Number(a.meaning !== null) - Number(b.meaning !== null) || b.rows - a.rows);
}

/** Returns the meaning of a cell by the words of its file; null if nobody knows. */
export function meaningIn(words: readonly Word[], property: string, text: string): string | null {
  const key = keyOf(wordOf(text));
  return words.find((one) => one.property === property && keyOf(one.value) === key)?.meaning ?? null;
}

export const openWords = (words: readonly Word[]): readonly Word[] => words.filter(({ meaning }) => meaning === null);
