/**
 * Writes CSV as RFC 4180 says: commas, lines that end with CR LF, and quotation marks around what needs them. A text that a
 * spreadsheet would calculate gets an apostrophe before it, because names and explanations come from anybody. A spreadsheet in
 * many countries takes a semicolon or a tab for the end of a cell, also within quotation marks: so what it would begin after
 * one is looked at too.
 */
const FORMULA = /^[=+\-@\t\r\n]/;
/** What stands before a formula in a cell that begins within this one. */
const WITHIN = /([;\t\r\n]"*)(?=[=+\-@])/g;
const QUOTED = /[",;\r\n]/;
/** Most texts are neither: looked at once. */
const EITHER = /^[=+\-@]|[",;\t\r\n]/;

/** A number as it is to be written: `-5.00`. */
export interface Figure {
  readonly figure: string;
}

export type Cell = string | number | Figure | null;

/** A cell as it is written. A text may come from anybody; numbers are written as they are. */
export function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.figure;
  if (!EITHER.test(value)) return value;
  const inside = value.replaceAll(WITHIN, "$1'");
  const safe = FORMULA.test(inside) ? `'${inside}` : inside;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;
