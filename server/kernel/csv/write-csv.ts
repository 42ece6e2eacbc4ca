/**
 * Writes CSV as RFC 4180 says: commas, lines that end with CR LF, and quotation marks around what needs them. A text that a
 * spreadsheet would calculate gets an apostrophe before it, because names and explanations come from anybody.
 */
const FORMULA = /^[=+\-@\t\r\n]/;
const QUOTED = /[",\r\n]/;

/** `text` may come from anybody; numbers are written as they are. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`;
