/** Reports, as the interface declares them: no report is known here by name. */
import type { AnswerOf } from 'rollcall-sdk';
import { language } from '../../words/language.ts';
import { useCall, type Options } from '../../app/calls.ts';

export type ReportKind = AnswerOf<'GET /reports', never, never>['reports'][number];
export type Column = ReportKind['measures'][number];
export type Filter = ReportKind['filters'][number];
export type ColumnType = Column['type'];

export type Row = Readonly<Record<string, unknown>>;

export interface ReportPage {
  readonly total: number;
  readonly column_headers: readonly {
    readonly key: string;
    readonly label: string;
    readonly definition: string;
    readonly sortable: boolean;
    readonly sorted?: { readonly order: 'asc' | 'desc' };
    readonly holds_customer_id?: boolean;
  }[];
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export const useReports = () => useCall('GET /reports', { query: { language } });

/** The form in which a report is read: its rows, or rows counted in groups. */
export type Form = 'rows' | 'groups';

export const pathOf = ({ name, is_total }: Pick<ReportKind, 'name' | 'is_total'>, form: Form): string =>
  form === 'groups' && !is_total ? `${name}.grouped` : name;

type Asked = Readonly<Record<string, unknown>>;

/**
 * Adds the names and descriptions of the columns in the language of the user: responses have them in English, for
 * programs.
 */
function named(page: ReportPage, { columns, grouped_by: by, measures }: ReportKind): ReportPage {
  const known = new Map([...columns, ...by, ...measures].map((one) => [one.key, one]));
  return {
    ...page,
    column_headers: page.column_headers.map((one) => {
      const { label, definition } = known.get(one.key) ?? one;
      return { ...one, label, definition };
    }),
  };
}

/** Reads a report. All reports have the same response format, whatever their rows contain. */
export function useReport(report: ReportKind, form: Form, query: Asked, options: Options = {}) {
  const path = `GET /reports/${pathOf(report, form)}/data` as 'GET /reports/attendances/data';
  const { data, ...rest } = useCall(path, { query: query as never }, options);
  return { ...rest, data: data && named(data as unknown as ReportPage, report) };
}

/** Follows the dots of a key, and returns the value. */
export const at = (row: unknown, key: string): unknown =>
  key.split('.').reduce<unknown>((inner, name) => (inner as Row | null | undefined)?.[name], row);
