/**
 * The totals of a report, as a query to compare with something else: the same rows, joins and columns as in its
 * responses.
 */
import { asSql, column, type Report } from './report.ts';
import type { Column } from './columns.ts';
import { groupsOf, type Asked } from './statements.ts';
import { integer } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { REPORTS } from './catalogue/index.ts';
import { ZONE } from './moment.ts';

export interface Total {
  readonly report: string;
  /** the column, or the month of a column, that splits the total; absent: one total */
  readonly by?: string | { readonly month: string };
  /** the column to add up; absent: rows are counted */
  readonly sum?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** Returns the month of a time at the business, `2026-01`. */
export const monthOf = (at: string | Sql): Sql => sql`to_char(${asSql(at)} AT TIME ZONE ${ZONE}, 'YYYY-MM')`;

const named = ({ name, columns }: Report, key: string): Column => {
  const found = columns[key];
  if (!found) throw new Error(`the report ${name} has no column ${key}`);
  return found;
};

/**
 * Uses each join that can lose rows, as the report does when all of its columns are requested. Joins that only count
 * lose none.
 */
const joined = ({ joins = {} }: Report): Sql[] =>
  Object.entries(joins).flatMap(([alias, join]) => {
    const text = 'texts' in join ? join.texts[0].trimStart() : '';
    if (!text.startsWith('JOIN')) return [];
    return [raw(`count(${alias}.${text.startsWith('JOIN (') ? '*' : 'provider_id'})`)];
  });

/** Selects `key` and `amount`: a text, and a whole number of rows or minor units. */
export function totalsOf({ report: name, by, sum, filters = {} }: Total, asked: Pick<Asked, 'viewer' | 'around'>): Sql {
  const report = REPORTS.find((one) => one.name === name);
  if (!report) throw new Error(`there is no report ${name}`);
  const key =
    by === undefined
      ? raw(`'all'::text`)
      : typeof by === 'string'
        ? sql`(${named(report, by).reads[0]})::text`
        : monthOf(named(report, by.month).reads[0]);
  const amount = sum === undefined ? raw('count(*)') : sql`sum(${named(report, sum).reads[0]})`;
  const groups = groupsOf(
    report,
    { ...asked, filters },
    { by: [column(integer(), key, '')], measures: [column(integer(), amount, '')], more: joined(report) },
    { limit: 10_000_000, offset: 0, orders: [] },
  );
  return sql`SELECT r.key, r.amount FROM (${groups}) AS r(key, amount) WHERE r.key IS NOT NULL`;
}
