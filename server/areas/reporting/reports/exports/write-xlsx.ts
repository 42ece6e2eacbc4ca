/**
 * Writes workbooks (Office Open XML) row by row, with flat memory. Dates are dates, amounts are numbers with the
 * decimals of their currency, and a text is always a text, whatever it begins with. Values that a spreadsheet would
 * change are written as text: numbers of more than 15 digits, and days before March 1900.
 */
import { zip, type Entry } from '../../../../kernel/base/files/zip.ts';

/** The value of a cell. */
export type Cell =
  | string
  | number
  | boolean
  | null
  /** exactly these decimals: `-5.00` */
  | { readonly figure: string }
  /** `YYYY-MM-DD` */
  | { readonly date: string }
  /** `YYYY-MM-DDTHH:MM:SS`; an offset after it is dropped, because a spreadsheet has wall times only */
  | { readonly wall: string };

export interface Sheets<Row> {
  /** of the first sheet; further sheets are numbered */
  readonly name: string;
  readonly headings: readonly string[];
  /** columns of days and times are wider */
  readonly widths: readonly number[];
  readonly portions: AsyncIterable<readonly Row[]>;
  /** returns the cells of a row; called when the row is written */
  readonly cells: (row: Row) => readonly Cell[];
}

interface Limits {
  /** maximum rows of a sheet, including its heading */
  readonly rows: number;
  /** maximum length of a sheet's XML: its size has four bytes in the file */
  readonly characters: number;
}

/** A letter may take three bytes. */
const EXCEL: Limits = { rows: 1_048_576, characters: 1_400_000_000 };
/** Letters that are compressed together. A longer text would be in the part of V8's heap that is collected last. */
const PIECE = 50_000;
/** Maximum length of a cell. */
const LONGEST = 32_767;
/** Significant digits of a spreadsheet's numbers. */
const DIGITS = 15;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** Before it, spreadsheets count a 29 February 1900, which never existed. */
const FIRST_DAY = '1900-03-01';

/** Positions in the list of formats in `STYLES`. */
const [BOLD, DATE, WALL, FIGURE] = [1, 2, 3, 4];
const DECIMALS = ['0', '0.0', '0.00', '0.000', '0.0000'];

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const FORMATS = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', ...DECIMALS];
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.length}">${FORMATS.map(
  (code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${code}"/>`,
).join(
  '',
)}</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${
  FORMATS.length + 2
}"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/>${FORMATS.map(
  (_, n) => `<xf xfId="0" numFmtId="${164 + n}" applyNumberFormat="1"/>`,
).join('')}</cellXfs></styleSheet>`;

const SPECIAL = /[&<>]/;
const SPECIALS = /[&<>]/g;
const ENTITY: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// oxlint-disable-next-line no-control-regex -- these are what XML has no way to write
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\r]|_(?=x[0-9A-Fa-f]{4}_)/;
const UNWRITABLES = new RegExp(UNWRITABLE.source, 'g');

/**
 * Returns a text as XML: a character that XML can't contain is written as its number, and so is text that looks like
 * such a number.
 */
export function xmlText(text: string): string {
  let safe = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  if (!safe.isWellFormed()) safe = safe.toWellFormed();
  if (UNWRITABLE.test(safe))
    safe = safe.replace(UNWRITABLES, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
  return SPECIAL.test(safe) ? safe.replace(SPECIALS, (one) => ENTITY[one]) : safe;
}

const textCell = (text: string): string => `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

const digitsOf = (number: string): number => number.replace(/^-?0*|\D|e.*$/g, '').length;

function numberCell(number: string, style: number): string {
  if (digitsOf(number) > DIGITS) return textCell(number);
  return style === 0 ? `<c><v>${number}</v></c>` : `<c s="${style}"><v>${number}</v></c>`;
}

/** Returns the number of two digits. */
const two = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * 48;

/** Returns days since day 0, with the time of day as a fraction. */
function dayNumber(text: string): number {
  const day = Date.UTC(two(text, 0) * 100 + two(text, 2), two(text, 5) - 1, two(text, 8));
  const seconds = text.length > 10 ? two(text, 11) * 3600 + two(text, 14) * 60 + two(text, 17) : 0;
  return (day - DAY_ZERO + seconds * 1000) / DAY_MS;
}

/** Returns the XML of a cell. It does not contain its position, so every earlier cell of its row must be written. */
function cell(value: Cell): string {
  if (value === null || value === '') return '<c/>';
  if (typeof value === 'string') return textCell(value);
  if (typeof value === 'number') return numberCell(String(value), 0);
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  if ('figure' in value) {
    const point = value.figure.indexOf('.');
    return numberCell(value.figure, FIGURE + (point < 0 ? 0 : value.figure.length - point - 1));
  }
  const [text, style] = 'date' in value ? [value.date, DATE] : [value.wall, WALL];
  if (text < FIRST_DAY) return textCell(text);
  return `<c s="${style}"><v>${dayNumber(text)}</v></c>`;
}

const rowOf = (cells: readonly Cell[]): string => {
  let xml = '<row>';
  for (const one of cells) xml += cell(one);
  return `${xml}</row>`;
};

const headingOf = (headings: readonly string[]): string =>
  `<row>${headings.map((text) => textCell(text).replace('<c ', `<c s="${BOLD}" `)).join('')}</row>`;

/** Rows on demand, one sheet after the other. */
class Rows<Row> {
  readonly #portions: AsyncIterator<readonly Row[]>;
  #portion: readonly Row[] = [];
  #at = 0;

  constructor(portions: AsyncIterable<readonly Row[]>) {
    this.#portions = portions[Symbol.asyncIterator]();
  }

  /** Returns true if there are more rows: without waiting if the current batch has more. */
  more(): true | Promise<boolean> {
    return this.#at < this.#portion.length || this.#read();
  }

  /** Returns the next row; there must be one. */
  take(): Row {
    return this.#portion[this.#at++];
  }

  async #read(): Promise<boolean> {
    do {
      const { done, value } = await this.#portions.next();
      [this.#portion, this.#at] = [done ? [] : value, 0];
      if (done) return false;
    } while (this.#portion.length === 0);
    return true;
  }

  /** Skips the remaining rows. */
  async leave(): Promise<void> {
    await this.#portions.return?.();
  }
}

async function* sheetOf<Row>(
  { headings, widths, cells }: Sheets<Row>,
  rows: Rows<Row>,
  limits: Limits,
): AsyncGenerator<string> {
  const columns = widths
    .map((width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${
    columns && `<cols>${columns}</cols>`
  }<sheetData>${headingOf(headings)}`;
  let written = 0;
  for (let left = limits.rows - 1; left > 0 && written < limits.characters; left--) {
    const more = rows.more();
    if (more !== true && !(await more)) break;
    const row = rowOf(cells(rows.take()));
    text += row;
    written += row.length;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData></worksheet>`;
}

const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Returns the content type of a part of the workbook. */
const type = (part: string, what: string): string =>
  `<Override PartName="/xl/${part}.xml" ContentType="${SHEET_TYPE}.${what}+xml"/>`;

const leads = (id: string, what: string, to: string): string =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${what}" Target="${to}"/>`;

const relations = (all: string): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all}</Relationships>`;

/**
 * Returns `[Content_Types].xml`, the workbook and the references to its sheets: written last, when their number is
 * known.
 */
function around(names: readonly string[]): Readonly<Record<string, string>> {
  const sheets = names.map((name, n) => ({ n: n + 1, name: xmlText(name).replaceAll('"', '&quot;') }));
  return {
    'xl/styles.xml': STYLES,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets
      .map(({ n, name }) => `<sheet name="${name}" sheetId="${n}" r:id="s${n}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      `${sheets.map(({ n }) => leads(`s${n}`, 'worksheet', `worksheets/sheet${n}.xml`)).join('')}${leads('styles', 'styles', 'styles.xml')}`,
    ),
    '_rels/.rels': relations(leads('workbook', 'officeDocument', 'xl/workbook.xml')),
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type('workbook', 'sheet.main')}${type('styles', 'styles')}${sheets
      .map(({ n }) => type(`worksheets/sheet${n}`, 'worksheet'))
      .join('')}</Types>`,
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Removes letters that a sheet's name can't have, and shortens it to leave room for a number. */
const sheetName = (name: string, n: number): string => {
  const plain = name.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 25);
  return n === 1 ? plain : `${plain} ${n}`;
};

/** Yields the bytes of a workbook. Rows that don't fit in one sheet go to the next, under the same heading. */
export async function* xlsx<Row>(sheets: Sheets<Row>, limits: Limits = EXCEL): AsyncGenerator<Uint8Array> {
  const rows = new Rows(sheets.portions);
  async function* entries(): AsyncGenerator<Entry> {
    const names: string[] = [];
    do {
      names.push(sheetName(sheets.name, names.length + 1));
      yield { name: `xl/worksheets/sheet${names.length}.xml`, parts: sheetOf(sheets, rows, limits) };
    } while (await rows.more());
    for (const [name, text] of Object.entries(around(names))) yield { name, parts: once(text) };
  }
  try {
    yield* zip(entries());
  } finally {
    await rows.leave();
  }
}
