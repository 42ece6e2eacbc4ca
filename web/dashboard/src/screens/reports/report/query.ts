/** What an address asks of a report, and how the interface is asked for it. Pure. */
import { daysBefore, type Days } from './periods.ts';
import type { Column, Filter, Form, ReportKind } from '../read.ts';

type Address = Readonly<Record<string, string | undefined>>;

/** Filters stand in the address below this name, so that none is taken for something else. */
export const OF_FILTER = 'f.';

export const PAGE = 50;

export interface Asked {
  readonly form: Form;
  /** of rows; empty: those that the report shows */
  readonly columns: readonly string[];
  readonly by: readonly string[];
  readonly measures: readonly string[];
  readonly pivot: string | null;
  readonly sort: string | null;
  /** from 1 */
  readonly page: number;
  readonly filters: Readonly<Record<string, string>>;
  readonly compares: boolean;
}

const listIn = (text: string | undefined, known: readonly Pick<Column, 'key'>[]): string[] =>
  (text ?? '').split(',').filter((key) => known.some((one) => one.key === key));

const isId = (key: string): boolean => /(^|\.)id$/.test(key);

/** What says most to most: a month or a day of the week rather than a number or a person. */
export function usualGrouping({ grouped_by: by }: Pick<ReportKind, 'grouped_by'>): string | undefined {
  const ranked = [
    by.find(({ key }) => TIMES.test(key)),
    by.find(({ key }) => !isId(key) && !key.startsWith('customer')),
    by.find(({ key }) => !isId(key)),
  ];
  return (ranked.find(Boolean) ?? by[0])?.key;
}

/** Groups that follow each other in time. */
const TIMES = /(^|\.)(month|cohort|week|date|day)$/;
export const isTime = ({ key, type }: Pick<Column, 'key' | 'type'>): boolean => type === 'date' || TIMES.test(key);

export function askedIn(address: Address, report: ReportKind): Asked {
  const canGroup = report.grouped_by.length > 0;
  const form: Form = report.is_total || (canGroup && address.view !== 'rows') ? 'groups' : 'rows';
  const by = listIn(address.by, report.grouped_by);
  const measures = listIn(address.measures, report.measures);
  const usual = usualGrouping(report);
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
    measures: measures.length > 0 ? measures : report.measures.slice(0, 1).map(({ key }) => key),
    pivot: report.pivots.includes(address.pivot ?? '') ? address.pivot! : null,
    sort: address.sort || null,
    page: Math.max(1, Math.floor(Number(address.page)) || 1),
    filters,
    compares: address.compare === 'true',
  };
}

/** The columns that an answer has, in their order. */
export const columnsOf = ({ form, columns, by, measures }: Asked): readonly string[] =>
  form === 'groups' ? [...by, ...measures] : columns;

/** Groups in time follow each other; of others, the largest come first. */
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

/** What is asked of the whole report, however much of it is read. */
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

/** The period that is asked for, if one is: what can be compared with the one before. */
export const periodIn = ({ filters }: Asked, report: ReportKind): (Filter & { value: string }) | null => {
  const found = report.filters.find(({ name, type, from }) => type === 'period' && from !== null && filters[name]);
  return found ? { ...found, value: filters[found.name] } : null;
};

export interface Before {
  readonly days: Days;
  readonly query: Record<string, string | number>;
}

/** The same question of the period before; null: nothing says what that is. */
export function beforeOf(asked: Asked, report: ReportKind, today: string): Before | null {
  const period = periodIn(asked, report);
  const days = period && daysBefore(period.value, today);
  if (!period || !days) return null;
  const { [period.name]: _, ...query } = pageOf({ ...asked, page: 1 }, report);
  const isDay = report.filters.find(({ name }) => name === period.from)?.type === 'date';
  return {
    days,
    query: {
      ...query,
      // Times without an offset are those of the business.
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

/** The question as a body has it, for an export or a schedule. */
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

/** Where the rows of a group are, by the address that the interface names for them. */
export function addressOfRows(rows: string): Record<string, string> {
  const { searchParams } = new URL(rows);
  return {
    view: 'rows',
    ...Object.fromEntries([...searchParams].map(([name, value]) => [OF_FILTER + name, value])),
  };
}
