/** Some rows of a file, as the kinds read and write them. */
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { columnTemplate, constantTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import { readDate, type DateFormat } from '../../../../kernel/base/csv/read-date.ts';
import type { ColumnOf } from '../recognise.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export type Fate = 'created' | 'changed' | 'unchanged' | 'rejected';

/** Why a row was rejected, or a cell was left out. */
export interface Issue {
  /** the column; empty: the row as a whole */
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

export interface Outcome {
  readonly fate: Fate;
  /** what it became */
  readonly object: number | null;
  readonly issues: readonly Issue[];
}

/** By line. */
export type Outcomes = Map<number, Outcome>;

/** Lines by what is found twice in a file: ids, and what several may share. */
export interface Seen {
  readonly own: Map<string, number>;
  readonly shared: Map<string, number>;
}

export interface Portion {
  readonly work: Work;
  readonly rows: readonly CsvRow[];
  readonly columns: readonly ColumnOf[];
  readonly source: string;
  readonly dateFormat: DateFormat | null;
  /** of earlier rows; a kind adds those of its own */
  readonly seen: Seen;
  /** the same of the portions before, for these keys */
  readonly earlier: (own: readonly string[], shared: readonly string[]) => Promise<Seen>;
}

/** Writes the rows, each of them or none of it, and says what became of each. */
export type WriteRows = (portion: Portion) => Promise<Outcomes>;

export const NOWHERE: Template = constantTemplate('');

/** The column of a property; undefined: the file has none. */
export function templateOf({ columns }: Pick<Portion, 'columns'>, property: string): Template | undefined {
  const at = columns.findIndex((column) => column.property === property);
  return at < 0 ? undefined : columnTemplate(at, columns[at].heading);
}

export const rejected = (...issues: Issue[]): Outcome => ({ fate: 'rejected', object: null, issues });

/** Longer values are of no use to whoever mends the file. */
const SHOWN = 80;

/** A letter of two parts that is cut in the middle could not be stored. */
export const shortened = (text: string): string => text.slice(0, SHOWN).toWellFormed();

export const issueOf = (template: Template | undefined, { cells }: CsvRow, reason: string): Issue => ({
  column: template?.column ?? '',
  value: shortened(template?.fill(cells) ?? ''),
  reason,
});

/** Cells that stand for nothing, as exports have them. */
const NOTHING = /^(?:-+|–|—|n\/?a|none|null|never|unlimited|∞)$/i;

export const textIn = (template: Template | undefined, { cells }: CsvRow): string | null => {
  const text = template?.fill(cells)?.trim() ?? '';
  return text === '' || NOTHING.test(text) ? null : text;
};

/** An email address in its one spelling; whether it is one is for others to say. */
export const addressIn = (template: Template | undefined, row: CsvRow): string | null => {
  const text = textIn(template, row);
  return text === null ? null : canonicalAddress(text) || null;
};

/** A day, or what is wrong with it; null: the cell says nothing. */
export function dateIn(
  { dateFormat }: Pick<Portion, 'dateFormat'>,
  template: Template | undefined,
  row: CsvRow,
): string | null | Issue {
  const text = textIn(template, row);
  if (text === null) return null;
  return readDate(text, dateFormat) ?? issueOf(template, row, `is not a date${dateFormat ? ` (${dateFormat})` : ''}`);
}

export const isIssue = (value: unknown): value is Issue =>
  typeof value === 'object' && value !== null && 'reason' in value;
