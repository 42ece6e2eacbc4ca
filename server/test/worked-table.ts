/**
 * Reads the tables with worked examples from the documented algorithms, so that the prose and the tests can never
 * disagree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');

/**
 * Returns the rows of the first Markdown table below a heading, one object per row, keyed by the column titles; cells
 * without backticks. `file` is relative to the project. Throws if the heading or the table is missing, or if a row has
 * another number of cells.
 */
export function workedTable(file: string, heading: string): Record<string, string>[] {
  const [titles, , ...rows] = tableLines(file, heading).map(cells);
  if (rows.length === 0) throw new Error(`${file}: no rows in the table under "${heading}"`);
  return rows.map((row) => {
    if (row.length !== titles.length)
      throw new Error(`${file}: "${heading}" has a row of ${row.length} cells: ${row.join(' | ')}`);
    return Object.fromEntries(titles.map((title, index) => [title, row[index]]));
  });
}

function tableLines(file: string, heading: string): string[] {
  const lines = readFileSync(join(PROJECT, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '').trim() === heading);
  if (start < 0) throw new Error(`${file}: no heading "${heading}"`);
  const section = lines.slice(start + 1);
  const end = section.findIndex((line) => /^#+ /.test(line));
  const within = end < 0 ? section : section.slice(0, end);
  const first = within.findIndex((line) => line.startsWith('|'));
  if (first < 0) throw new Error(`${file}: no table under "${heading}"`);
  const table = within.slice(first);
  const after = table.findIndex((line) => !line.startsWith('|'));
  return after < 0 ? table : table.slice(0, after);
}

function cells(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''));
}
