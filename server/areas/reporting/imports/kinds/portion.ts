/** A batch of rows of a file, as the kinds read and write it. */
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { columnTemplate, constantTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import type { DateFormat } from '../../../../kernel/base/csv/read-date.ts';
import { isNothing, shortened } from '../cell.ts';
import { withoutMark } from './rules/text-mark.ts';
import { addressesIn } from './rules/address.ts';
import { readDay } from './rules/day.ts';
import type { ColumnOf } from '../column.ts';
import type { ExpectedCharge } from '../../../memberships/customer-memberships/index.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import { meaningIn, type Word } from '../words/questions.ts';
import type { SumName } from '../stored.ts';
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
  /** charges of the next days, if they are approved */
  readonly charges?: readonly ExpectedCharge[];
  /** amount of a new row, in minor units */
  readonly sum?: { readonly of: SumName; readonly minor: number };
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
  /** what the words of the file mean */
  readonly words: readonly Word[];
  readonly source: string;
  readonly dateFormat: DateFormat | null;
  /** keys of earlier rows; each kind adds those of its own rows */
  readonly seen: Seen;
  /** looks up these keys in earlier batches */
  readonly earlier: (own: readonly string[], shared: readonly string[]) => Promise<Seen>;
}

/** A function that writes each row completely or not at all, and returns the result of each. */
export type WriteRows = (portion: Portion) => Promise<Outcomes>;

/** Returns a template whose text is changed; null counts as empty. */
export const changed = (of: Template, change: (text: string) => string | null): Template => ({
  ...of,
  fill: (cells) => {
    const text = of.fill(cells);
    return text === null ? null : change(text);
  },
});

export const NOWHERE: Template = constantTemplate('');

/** Returns the column of a property; undefined if the file has none. */
export function templateOf({ columns }: Pick<Portion, 'columns'>, property: string): Template | undefined {
  const at = columns.findIndex((column) => column.property === property);
  return at < 0 ? undefined : columnTemplate(at, columns[at].heading);
}

/** Returns the meaning of the cell of a property; undefined if the file has no such column, null if nobody knows it. */
export function stateIn(portion: Portion, property: string, { cells }: CsvRow): string | null | undefined {
  const at = portion.columns.findIndex((column) => column.property === property);
  return at < 0 ? undefined : meaningIn(portion.words, property, cells[at] ?? '');
}

export { isNothing, shortened } from '../cell.ts';

export const rejected = (...issues: Issue[]): Outcome => ({ fate: 'rejected', object: null, issues });

export const issueOf = (template: Template | undefined, { cells }: CsvRow, reason: string): Issue => ({
  column: template?.column ?? '',
  value: shortened(template?.fill(cells) ?? ''),
  reason,
});

export const textIn = (template: Template | undefined, { cells }: CsvRow): string | null => {
  const text = withoutMark(template?.fill(cells)?.trim() ?? '');
  return text === '' || isNothing(text) ? null : text;
};

/** Returns the first email address of a cell in its canonical spelling; a text without one is returned as it is. */
export const addressIn = (template: Template | undefined, row: CsvRow): string | null => {
  const text = textIn(template, row);
  return text === null ? null : canonicalAddress(addressesIn(text)[0] ?? text) || null;
};

/** Returns a day, or the reason why it is invalid; null if the cell is empty. */
export function dateIn(
  { dateFormat }: Pick<Portion, 'dateFormat'>,
  template: Template | undefined,
  row: CsvRow,
): string | null | Issue {
  const text = textIn(template, row);
  if (text === null) return null;
  return (
    readDay(text, { order: dateFormat }) ??
    issueOf(template, row, `is not a date${dateFormat ? ` (${dateFormat})` : ''}`)
  );
}

export const isIssue = (value: unknown): value is Issue =>
  typeof value === 'object' && value !== null && 'reason' in value;
