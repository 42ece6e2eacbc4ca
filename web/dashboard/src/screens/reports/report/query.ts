/** Conversion of an address to a query of a report. Pure. */
import { daysBefore, type Days } from './periods.ts';
import type { Column, Filter, Form, ReportKind } from '../read.ts';

type Address = Readonly<Record<string, string | undefined>>;

/** Prefix of filters in the address, so that a filter is never mistaken for another parameter. */
export const OF_FILTER = 'f.';

export const PAGE = 50;

export interface Asked {
  readonly form: Form;
  /** columns of the rows; empty: the default columns of the report */
  readonly columns: readonly string[];
  readonly by: readonly string[];
  readonly measures: readonly string[];
  readonly pivot: string | null;
  readonly sort: string | null;
  /** page number, from 1 */
  readonly page: number;
  readonly filters: Readonly<Record<string, string>>;
  readonly compares: boolean;
}

const listIn = (text: string | undefined, known: readonly Pick<Column, 'key'>[]): string[] =>
  (text ?? '').split(',').filter((key) => known.some((one) => one.key === key));

const isId = (key: string): boolean => /(^|\.)id$/.test(key);

/** Returns the most useful grouping for most people: a month or a day of the week rather than a number or a person. */
export function usualGrouping({ grouped_by: by }: Pick<ReportKind, 'grouped_by'>): string | undefined {
  const ranked = [
    by.find(({ key }) => TIMES.test(key)),
    by.find(({ key }) => !isId(key) && !key.startsWith('customer')),
    by.find(({ key }) => !isId(key)),
  ];
  return (ranked.find(Boolean) ?? by[0])?.key;
}

/** Matches groupings by time. */
const TIMES = /(^|\.)(month|calendar_month|cohort|week|date|day|day_of_week)$/;
export const isTime = ({ key, type }: Pick<Column, 'key' | 'type'>): boolean => type === 'date' || TIMES.test(key);

/** Returns the address with which a report opens: what says most about the business. */
export function openingQuery({ opens_with: opens }: Pick<ReportKind, 'opens_with'>): Record<string, string> {
  const isRows = opens.grouped_by.length === 0;
  return {
    view: isRows ? 'rows' : 'groups',
    ...(!isRows && { by: opens.grouped_by.join(','), measures: opens.measures.join(',') }),
    ...Object.fromEntries(opens.filters.map(({ name, value }) => [OF_FILTER + name, value])),
  };
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Returns the number of a weekday by its English name, from 0 for Monday; -1 if it is none. */
export const weekdayOf = (value: unknown): number => WEEKDAYS.indexOf(String(value));

/** Returns groups by the day of the week from Monday on, unless they are sorted by something else; others unchanged. */
export function inWeekOrder<R>(
  rows: readonly R[],
  { by, sort }: Pick<Asked, 'by' | 'sort'>,
  valueOf: (row: R) => unknown,
): readonly R[] {
  if (by.length !== 1 || by[0] !== 'day_of_week' || sort !== null) return rows;
  return rows.toSorted((a, b) => weekdayOf(valueOf(a)) - weekdayOf(valueOf(b)));
}

export function askedIn(address: Address, report: ReportKind): Asked {
  const canGroup = report.grouped_by.length > 0;
  const form: Form = report.is_total || (canGroup && address.view !== 'rows') ? 'groups' : 'rows';
  const by = listIn(address.by, report.grouped_by);
  const measures = listIn(address.measures, report.measures);
  const opens = report.opens_with;
  const [usual] = opens.grouped_by.length > 0 ? opens.grouped_by : [usualGrouping(report)];
  const filters = Object.fromEntries(
    report.filters.flatMap(({ name }) => {
      const value = address[OF_FILTER + name];
      return value ? [[name, value]] : [];
    }),
  );
  return {
    form,
    columns: listIn(address.columns, report.columns),
    by: by.length > 0 || usual === undefined ? by : [usual],
    measures:
      measures.length > 0
        ? measures
        : opens.measures.length > 0 && by.length === 0
          ? opens.measures
          : report.measures.slice(0, 1).map(({ key }) => key),
    pivot: report.pivots.includes(address.pivot ?? '') ? address.pivot! : null,
    sort: address.sort || null,
    page: Math.max(1, Math.floor(Number(address.page)) || 1),
    filters,
    compares: address.compare === 'true',
  };
}

/** Returns the columns of the response, in order. */
export const columnsOf = ({ form, columns, by, measures }: Asked): readonly string[] =>
  form === 'groups' ? [...by, ...measures] : columns;

/** Sorts groups in time chronologically, and others from the largest to the smallest. */
function sortOf(asked: Asked, report: ReportKind): string | null {
  const columns = columnsOf(asked);
  const key = asked.sort?.replace(/^-/, '');
  if (asked.form === 'rows') return asked.sort;
  if (key && columns.includes(key)) return asked.sort;
  const first = report.grouped_by.find((one) => one.key === asked.by[0]);
  const [measure] = report.measures.filter((one) => asked.measures.includes(one.key) && one.sortable);
  if (first && isTime(first)) return first.sortable ? first.key : null;
  return measure ? `-${measure.key}` : null;
}

/** Returns the query for the whole report, without paging. */
export function wholeOf(asked: Asked, report: ReportKind): Record<string, string> {
  const columns = columnsOf(asked);
  const sort = sortOf(asked, report);
  return {
    ...(columns.length > 0 && { columns: columns.join(',') }),
    ...asked.filters,
    ...(sort && { sort }),
    ...(asked.form === 'groups' && asked.pivot && { pivot: asked.pivot, max_pivot_columns: '12' }),
  };
}

export const pageOf = (asked: Asked, report: ReportKind): Record<string, string | number> => ({
  ...wholeOf(asked, report),
  limit: PAGE,
  offset: (asked.page - 1) * PAGE,
});

/** Returns the requested period, if there is one: only then is a comparison with the previous period possible. */
export const periodIn = ({ filters }: Asked, report: ReportKind): (Filter & { value: string }) | null => {
  const found = report.filters.find(({ name, type, from }) => type === 'period' && from !== null && filters[name]);
  return found ? { ...found, value: filters[found.name] } : null;
};

export interface Before {
  readonly days: Days;
  readonly query: Record<string, string | number>;
}

/** Returns the same query for the previous period; null if that is undefined. */
export function previousPeriodQuery(asked: Asked, report: ReportKind, today: string): Before | null {
  const period = periodIn(asked, report);
  const days = period && daysBefore(period.value, today);
  if (!period || !days) return null;
  const { [period.name]: _, ...query } = pageOf({ ...asked, page: 1 }, report);
  const isDay = report.filters.find(({ name }) => name === period.from)?.type === 'date';
  return {
    days,
    query: {
      ...query,
      // Times without an offset are in the time zone of the business.
      [period.from!]: isDay ? days.from : `${days.from}T00:00:00`,
      [period.to!]: isDay ? days.to : `${days.to}T23:59:59.999`,
      limit: 100,
    },
  };
}

function valueOf({ type, several }: Filter, text: string): unknown {
  const one = (part: string): unknown =>
    type === 'boolean' ? part === 'true' : type === 'integer' || type === 'number' ? Number(part) : part;
  return several ? text.split(',').map(one) : one(text);
}

/** Returns the query as a body, for an export or a schedule. */
export function bodyOf(asked: Asked, report: ReportKind): Record<string, unknown> {
  const { columns, sort, pivot, max_pivot_columns: most } = wholeOf(asked, report);
  return {
    ...(columns && { columns: columns.split(',') }),
    ...Object.fromEntries(
      Object.entries(asked.filters).map(([name, text]) => [
        name,
        valueOf(
          report.filters.find((one) => one.name === name)!,
          text,
        ),
      ]),
    ),
    ...(asked.form === 'groups' && sort && { sort: [sort] }),
    ...(pivot && { pivot, max_pivot_columns: Number(most) }),
  };
}

/** Returns the parameters of the address that the interface returns for the rows of a group. */
export function addressOfRows(rows: string): Record<string, string> {
  const { searchParams } = new URL(rows);
  return {
    view: 'rows',
    ...Object.fromEntries([...searchParams].map(([name, value]) => [OF_FILTER + name, value])),
  };
}
