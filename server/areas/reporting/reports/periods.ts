/** Periods that groups are split into: by the time of something, or by the days on which something was active. */
import { daysOfPeriod } from './rules/pivot.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Grouped } from './columns.ts';

export const PIVOTS = ['all', 'year', 'month', 'week'] as const;
export const SPAN_PIVOTS = ['all', 'active_by_year', 'active_by_month'] as const;
export type Pivot = Exclude<(typeof PIVOTS)[number] | (typeof SPAN_PIVOTS)[number], 'all'>;

const FORMS: Readonly<Record<'year' | 'month' | 'week', { readonly names: string; readonly looks: RegExp }>> = {
  year: { names: 'YYYY', looks: /^\d{4}$/ },
  month: { names: 'YYYY-MM', looks: /^\d{4}-(0[1-9]|1[0-2])$/ },
  week: { names: 'IYYY-"W"IW', looks: /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/ },
};

export const unitOf = (pivot: Pivot) => pivot.replace('active_by_', '') as keyof typeof FORMS;

/** Returns the name of a time's period: `2026`, `2026-01`, `2026-W05`. */
export const periodOf = (pivot: Pivot, at: Sql): Sql => sql`to_char(${at}, ${raw(`'${FORMS[unitOf(pivot)].names}'`)})`;

/** Returns whether a text is the name of such a period. */
export const isPeriod = (pivot: Pivot, text: string): boolean => FORMS[unitOf(pivot)].looks.test(text);

/** Returns the periods that groups can be split into, if any. */
export const pivotsOf = ({ pivot, spans }: Pick<Grouped, 'pivot' | 'spans'>): readonly Pivot[] =>
  (spans ? SPAN_PIVOTS : pivot ? PIVOTS : []).filter((one) => one !== 'all');

/** Returns the condition for a row to count in a period. */
export function isWithin({ pivot: at, spans }: Pick<Grouped, 'pivot' | 'spans'>, pivot: Pivot, period: string): Sql {
  if (spans)
    return sql`(${periodOf(pivot, spans.from)} <= ${period} AND (${spans.to} IS NULL OR ${periodOf(pivot, spans.to)} >= ${period}))`;
  const [from, until] = daysOfPeriod(period);
  return sql`(${at!} >= ${from}::timestamp AND ${at!} < ${until}::timestamp)`;
}
