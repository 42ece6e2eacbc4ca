/** A batch of rows of a file, as the kinds read and write it. */
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { columnTemplate, constantTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import { readDate, type DateFormat } from '../../../../kernel/base/csv/read-date.ts';
import type { ColumnOf } from '../column.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export type Fate = 'created' | 'changed' | 'unchanged' | 'rejected';

/** Reason why a row was rejected, or a cell was left out. */
export interface Issue {
  /** the column; empty for the row as a whole */
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

export interface Outcome {
  readonly fate: Fate;
  /** the object that it became */
  readonly object: number | null;
  readonly issues: readonly Issue[];
}

/** Results by line. */
export type Outcomes = Map<number, Outcome>;

/** Line numbers by the keys that detect duplicates in a file: unique ids, and values that several rows may share. */
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
  /** keys of earlier rows; each kind adds those of its own rows */
  readonly seen: Seen;
  /** looks up these keys in earlier batches */
  readonly earlier: (own: readonly string[], shared: readonly string[]) => Promise<Seen>;
}

/** A function that writes each row completely or not at all, and returns the result of each. */
export type WriteRows = (portion: Portion) => Promise<Outcomes>;

export const NOWHERE: Template = constantTemplate('');

/** Returns the column of a property; undefined if the file has none. */
export function templateOf({ columns }: Pick<Portion, 'columns'>, property: string): Template | undefined {
  const at = columns.findIndex((column) => column.property === property);
  return at < 0 ? undefined : columnTemplate(at, columns[at].heading);
}

export const rejected = (...issues: Issue[]): Outcome => ({ fate: 'rejected', object: null, issues });

/** Longer values don't help the person who corrects the file. */
const SHOWN = 80;

/** Shortens a text without leaving half a surrogate pair at the cut, which could not be stored. */
export const shortened = (text: string): string => text.slice(0, SHOWN).toWellFormed();

export const issueOf = (template: Template | undefined, { cells }: CsvRow, reason: string): Issue => ({
  column: template?.column ?? '',
  value: shortened(template?.fill(cells) ?? ''),
  reason,
});

/** Placeholders that exports use for empty cells. */
const NOTHING = /^(?:-+|–|—|n\/?a|none|null|never|unlimited|∞)$/i;

export const textIn = (template: Template | undefined, { cells }: CsvRow): string | null => {
  const text = template?.fill(cells)?.trim() ?? '';
  return text === '' || NOTHING.test(text) ? null : text;
};

/** Returns an email address in its canonical spelling, without validating it. */
export const addressIn = (template: Template | undefined, row: CsvRow): string | null => {
  const text = textIn(template, row);
  return text === null ? null : canonicalAddress(text) || null;
};

/** Returns a day, or the reason why it is invalid; null if the cell is empty. */
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
