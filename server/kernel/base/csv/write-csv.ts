/**
 * Writes CSV by RFC 4180: commas, lines that end with CR LF, and quotation marks around cells that need them. Text that
 * a spreadsheet would calculate is prefixed with an apostrophe, because names and explanations come from anybody. In
 * many countries, a spreadsheet ends cells at a semicolon or a tab, even within quotation marks: so text after these is
 * checked too. Some spreadsheets also calculate text that begins with a full-width sign, as East Asian keyboards have.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
/** Position before a formula in a cell that begins within this one. */
const WITHIN = /([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g;
const QUOTED = /[",;\r\n]/;
/** A quick check: most texts contain neither. */
const EITHER = /^[=+\-@＝＋－＠]|[",;\t\r\n]/;

/** A number in its final form: `-5.00`. */
export interface Figure {
  readonly figure: string;
}

type Cell = string | number | Figure | null;

/** Returns a cell in CSV. Text may come from anybody; numbers are written as they are. */
export function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.figure;
  if (!EITHER.test(value)) return value;
  const inside = value.replaceAll(WITHIN, "$1'");
  const safe = FORMULA.test(inside) ? `'${inside}` : inside;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns one line with its line end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;
