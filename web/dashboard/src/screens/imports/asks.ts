/** The open questions about several files, those with the most rows first. */
import type { Import } from './import.ts';

interface Asked {
  readonly key: string;
  /** rows that depend on the answer */
  readonly rows: number;
  /** files that the answer is for */
  readonly files: readonly Import[];
}

export type Ask = Asked &
  (
    | { readonly what: 'kind' | 'dates' | 'columns' }
    | { readonly what: 'source'; readonly source: string }
    | {
        readonly what: 'word';
        readonly property: string;
        readonly column: string;
        readonly value: string;
        readonly choices: readonly string[];
      }
  );

/** Things that are missing and are questions of their own; everything else is a column. */
const OWN = new Set(['kind', 'source', 'date_format', 'answers']);

/** Returns the properties of which one needs a column, as alternatives. */
export const missingColumns = ({ missing }: Import): readonly string[] => missing.filter((one) => !OWN.has(one));

function asksOf(file: Import): Ask[] {
  const { id, missing, row_count: rows, source, kind } = file;
  const files = [file];
  const words = file.questions.flatMap(({ property, column, value, row_count: n, choices, answer }): Ask[] =>
    answer === null
      ? [{ what: 'word', key: `${kind} ${property} ${value}`, rows: n, files, property, column, value, choices }]
      : [],
  );
  return [
    ...(missing.includes('kind') ? [{ what: 'kind', key: `kind ${id}`, rows, files } as const] : []),
    ...(missing.includes('source') ? [{ what: 'source', key: `source ${source}`, rows, files, source } as const] : []),
    ...(missing.includes('date_format') ? [{ what: 'dates', key: `dates ${id}`, rows, files } as const] : []),
    ...(missingColumns(file).length > 0 ? [{ what: 'columns', key: `columns ${id}`, rows, files } as const] : []),
    ...words,
  ];
}

/** A word or a product that several files have is one question. */
export function asksAbout(files: readonly Import[]): Ask[] {
  const asks = new Map<string, Ask>();
  for (const ask of files.flatMap(asksOf)) {
    const same = asks.get(ask.key);
    asks.set(ask.key, same ? { ...same, rows: same.rows + ask.rows, files: [...same.files, ...ask.files] } : ask);
  }
  return [...asks.values()].toSorted((a, b) => b.rows - a.rows);
}
