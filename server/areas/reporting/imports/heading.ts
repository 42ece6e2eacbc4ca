/**
 * The row that names the columns. Reports have titles, the name of the business, or a date above it, and totals below
 * their rows.
 */
import { COLUMNS, plainName } from './columns/index.ts';

/** Rows in which the heading is searched. */
export const SEARCHED = 25;
const DELIMITERS = [',', ';', '\t', '|'];

const NAMES = new Set(
  Object.values(COLUMNS).flatMap(({ properties }) =>
    Object.values(properties).flatMap((names) => Object.values(names).flat().map(plainName)),
  ),
);

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
const known = (cells: readonly string[]): number => cells.filter((cell) => NAMES.has(plainName(cell))).length;

/**
 * Returns the index of the row that names the columns: the one with the most known names, at least two. Without any, a
 * title in one cell above a table is skipped.
 */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const first = Math.max(
    0,
    rows.findIndex((cells) => filled(cells) > 0),
  );
  const searched = rows.slice(0, SEARCHED);
  const scores = searched.map(known);
  const best = scores.reduce((at, score, i) => (score > scores[at] ? i : at), first);
  if (scores[best] >= 2) return best;
  if (filled(rows[first] ?? []) !== 1) return first;
  const widths = searched.slice(first + 1).map(filled);
  const wide = widths.filter((width) => width > 2);
  if (wide.length <= widths.filter((width) => width > 0).length / 2) return first;
  return searched.findIndex((cells, i) => i > first && filled(cells) > 2);
}

/** Splits a line at the delimiters outside of quotation marks. */
export function splitLine(line: string, delimiter: string): string[] {
  const cells = [''];
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') quoted = !quoted;
    else if (letter === delimiter && !quoted) cells.push('');
    else cells[cells.length - 1] += letter;
  }
  return cells;
}

/** Returns the number of lines above the heading of a text file. */
export function linesAbove(lines: readonly string[]): number {
  const found = DELIMITERS.map((delimiter) => {
    const rows = lines.slice(0, SEARCHED).map((line) => splitLine(line.slice(0, 20_000), delimiter));
    const at = headingRow(rows);
    return { at, score: known(rows[at] ?? []), width: filled(rows[at] ?? []) };
  });
  const [best] = found.toSorted((a, b) => b.score - a.score || b.width - a.width);
  return best.at;
}

const TOTAL = new RegExp(
  `^(?:grand |sub)?(?:totals?|summe|gesamt(?:summe)?|total général|suma|totale|totaal|razem|łącznie)(?:\\s*[:(].*|\\s+\\d.*)?$`,
  'iu',
);

/** Returns true for a row with totals: its first cell says so, and most of the others are empty. */
export function isTotal(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
  return (
    TOTAL.test(first) && filled(cells) <= Math.max(1, cells.length / 2) && !cells.some((cell) => cell.includes('@'))
  );
}
