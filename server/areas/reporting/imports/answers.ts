/** Columns of a file with customers that are answers to questions of the business. */
import { importAnswers, type FiledAnswer } from '../../agreements/customer-fields/index.ts';
import { shortened, textIn, type Issue, type Portion } from './kinds/portion.ts';
import { columnTemplate } from '../../../kernel/base/csv/template.ts';
import { plainName } from './columns/index.ts';
import { readDate } from '../../../kernel/base/csv/read-date.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ColumnOf } from './column.ts';
import type { CsvRow } from '../../../kernel/base/csv/read-csv.ts';
import type { KindName } from './columns/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Beginning of the property of such a column, before the key of the question. */
export const ANSWER = 'answer:';

interface Question {
  readonly id: number;
  readonly key: string;
  readonly label: string;
}

const questionsOf = ({ tx, providerId }: Work): Promise<Question[]> =>
  tx.rows<Question & Record<string, unknown>>(
    sql`SELECT id, key, label FROM customer_field WHERE provider_id = ${providerId} AND NOT archived
      ORDER BY position, id`,
  );

/** Returns the properties of questions that a column of this kind of file can have. */
export const answerProperties = async (work: Work, kind: KindName): Promise<string[]> =>
  kind === 'customers' ? (await questionsOf(work)).map(({ key }) => `${ANSWER}${key}`) : [];

/** Recognises columns by the name or the key of a question, if nothing else is in them. */
export async function withAnswers(
  work: Work,
  kind: KindName,
  columns: readonly ColumnOf[],
): Promise<readonly ColumnOf[]> {
  if (kind !== 'customers' || columns.every(({ property }) => property !== null)) return columns;
  const questions = await questionsOf(work);
  const taken = new Set(columns.map(({ property }) => property));
  return columns.map((column) => {
    if (column.property !== null) return column;
    const heading = plainName(column.heading);
    const question = questions.find(
      ({ key, label }) => heading !== '' && (plainName(label) === heading || plainName(key) === heading),
    );
    const property = question ? `${ANSWER}${question.key}` : null;
    if (property === null || taken.has(property)) return column;
    taken.add(property);
    return { ...column, property };
  });
}

interface Written {
  readonly row: CsvRow;
  readonly customer: number;
}

/** Stores the answers of rows whose customers were written. Returns by line what has changed and what is left out. */
export async function writeAnswersOf(
  { work, columns, dateFormat }: Portion,
  written: readonly Written[],
): Promise<Map<number, { changed: boolean; issues: Issue[] }>> {
  const results = new Map<number, { changed: boolean; issues: Issue[] }>();
  const keys = columns.flatMap(({ property }) => (property?.startsWith(ANSWER) ? property.slice(ANSWER.length) : []));
  if (keys.length === 0) return results;
  const ids = new Map((await questionsOf(work)).map(({ id, key }) => [key, id]));
  const filed: (FiledAnswer & { readonly row: CsvRow; readonly column: string })[] = [];
  for (const { row, customer } of written)
    for (const [i, { property, heading }] of columns.entries()) {
      const field = property?.startsWith(ANSWER) ? ids.get(property.slice(ANSWER.length)) : undefined;
      const text = field === undefined ? null : textIn(columnTemplate(i, heading), row);
      if (field !== undefined && text !== null) filed.push({ customer, field, text, row, column: heading });
    }
  const outcomes = await importAnswers(work, filed, (text) => readDate(text, dateFormat));
  for (const [i, { row, column, text }] of filed.entries()) {
    const outcome = outcomes[i];
    const mine = results.get(row.line) ?? { changed: false, issues: [] };
    results.set(row.line, mine);
    if ('refused' in outcome) mine.issues.push({ column, value: shortened(text), reason: reasonOf(outcome.refused) });
    else mine.changed ||= outcome.changed;
  }
  return results;
}

/** Returns a refusal as the reason beside a cell: without its capital letter and its full stop. */
const reasonOf = (refused: string): string => refused.charAt(0).toLowerCase() + refused.slice(1).replace(/\.$/, '');
