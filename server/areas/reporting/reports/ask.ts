/** The parameters of a report, for its query and for the body of its export. */
import { called, integer, listOf, oneOf, together } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { keysOf, namesOf } from './names.ts';
import { PIVOTS, pivotsOf, SPAN_PIVOTS } from './periods.ts';
import type { Report } from './report.ts';
import type { Columns } from './columns.ts';
import type { Order } from './statements.ts';
import { Field, type Shape } from '../../../kernel/base/fields/field.ts';

const LIMIT = 50;
const MAX_LIMIT = 100;
/** Maximum offset: every row before the page is read and discarded. */
const DEEPEST = 100_000;

/**
 * Returns the filters, identical for the rows and the groups of a report, so both share one name in the API reference.
 */
const filtersOf = ({ name, filters }: Report): Shape =>
  together(
    `${name}_report_filters`,
    Object.fromEntries(Object.entries(filters).map(([filter, { field }]) => [filter, field])),
  );

/**
 * Returns the sort parameter: a column by one of its names, with `-` before it for the opposite direction. The API
 * reference doesn't list every column twice.
 */
const sortOf = (columns: Columns) => {
  const names = namesOf(columns);
  const one = new Field<string>({
    schema: { type: 'string', maxLength: 100 },
    read: (input, path, { issues }) => {
      const name = typeof input === 'string' ? input.replace(/^-/, '') : '';
      const keys = names.get(name);
      if (keys?.length === 1 && columns[keys[0]].sortable) return input;
      return issues.add(path, 'Must be the name of a sortable column, with `-` before it for the largest first.');
    },
  });
  return called(
    'report_sort',
    listOf(one, { max: 10 }).describe(
      'Names of columns. With `-` before it, the largest come first. Rows without a value come last.',
    ),
  ).optional();
};

const named = (name: string, columns: Columns, min: number, means: string): Field<string[]> =>
  called(name, listOf(oneOf([...namesOf(columns).keys()]), { min, max: 200 }).describe(means));

const groupColumns = (report: Report): Field<any> => {
  const usual = report.grouped!.usual;
  const field = named(
    `${report.name}_report_group_columns`,
    groupedColumns(report),
    1,
    `Groups and their measures.${usual ? ` If left out, \`${usual.join(', ')}\` of all rows.` : ''}`,
  );
  return usual ? field.default([...usual]) : field;
};

/** Parameters for the rows of a report. */
export const rowsAsked = (report: Report): Shape => ({
  columns: named(
    `${report.name}_report_columns`,
    report.columns,
    0,
    'If left out, all columns are returned.',
  ).optional(),
  ...filtersOf(report),
});

/** Returns every column that a grouped report can have. */
export const groupedColumns = ({ grouped }: Report): Columns => ({ ...grouped!.by, ...grouped!.measures });

/** Returns true if groups can be split into periods. */
export const hasPivot = ({ grouped }: Report): boolean => grouped !== undefined && pivotsOf(grouped).length > 0;

/** Parameters for the groups of a report. */
export const groupsAsked = (report: Report): Shape => ({
  columns: groupColumns(report),
  ...filtersOf(report),
  ...(hasPivot(report) && (report.grouped!.spans ? SPAN_PIVOT : PIVOT)),
});

const PIVOT_COLUMNS = integer({ min: 1, max: 12 }).default(4);

const PIVOT = together('report_pivot', {
  pivot: oneOf(PIVOTS)
    .default('all')
    .describe('Counts each year, month or week in a column of its own; the latest that have anything.'),
  max_pivot_columns: PIVOT_COLUMNS,
});
const SPAN_PIVOT = together('report_span_pivot', {
  pivot: oneOf(SPAN_PIVOTS)
    .default('all')
    .describe('Counts what is active in each of the last years or months in a column of its own.'),
  max_pivot_columns: PIVOT_COLUMNS,
});

/** Parameters for the part of a long result to return. */
export const PART: Shape = {
  limit: integer({ min: 1 })
    .optional()
    .describe(`At most ${MAX_LIMIT}; ${LIMIT} if left out. Larger values are reduced to ${MAX_LIMIT}.`),
  offset: integer({ min: 0, max: 10_000_000 }).optional().describe('Rows to skip.'),
  page: integer({ min: 1, max: 1_000_000 }).optional().describe('Instead of `offset`, counted from 1.'),
  page_size: integer({ min: 1 }).optional().describe('Another name for `limit`.'),
};

export const SORT = (columns: Columns): Shape => ({ sort: sortOf(columns) });

export const ID_GT: Shape = {
  id_gt: integer({ min: 0 })
    .optional()
    .describe('Rows with greater ids alone, in the order of their ids: the fastest way to read all of them.'),
};

/**
 * Returns the parameters for exporting a report as a file: always the whole report, however long. `file`: parameters of
 * the file itself.
 */
export const exportAsked = (report: Report, form: 'rows' | 'groups', file: Shape = {}): Shape =>
  form === 'rows'
    ? { ...rowsAsked(report), ...together('report_rows_export', { ...SORT(report.columns), ...ID_GT, ...file }) }
    : { ...groupsAsked(report), ...together('report_groups_export', { ...SORT(groupedColumns(report)), ...file }) };

export interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** Returns the requested number of rows and the position to start from. */
export function partOf({ limit, offset, page, page_size, id_gt }: Record<string, any>): Part {
  const most = Math.min(limit ?? page_size ?? LIMIT, MAX_LIMIT);
  if (offset !== undefined && page !== undefined) throw invalid('page', 'Send either offset or page.');
  if (id_gt !== undefined && (offset ?? page) !== undefined)
    throw invalid('id_gt', 'Send id_gt without offset and page: id_gt already sets where the results begin.');
  const skipped = offset ?? ((page ?? 1) - 1) * most;
  if (skipped > DEEPEST)
    throw invalid(
      page === undefined ? 'offset' : 'page',
      `Pages reach the first ${DEEPEST.toLocaleString('en')} rows of a report. To read all of them, use id_gt, or export the report.`,
    );
  return { limit: most, offset: skipped };
}

/** Returns the requested sort orders, or the default order. */
export function ordersOf(
  columns: Columns,
  asked: readonly string[] | undefined,
  usual: string | null,
): (Order & { key: string })[] {
  const names = namesOf(columns);
  const given = asked?.length ? asked : usual === null ? [] : [usual];
  return given.map((text) => {
    const descending = text.startsWith('-');
    const key = names.get(descending ? text.slice(1) : text)![0];
    return { key, column: columns[key], descending };
  });
}

/** Returns the keys of the requested columns, or of all. */
export function columnsAsked(
  { columns, shown }: Pick<Report, 'columns' | 'shown'>,
  asked: readonly string[] | undefined,
): string[] {
  if (asked?.length) return keysOf(namesOf(columns), asked);
  return shown ? [...shown] : Object.keys(columns);
}

/** Returns the values of the filters, without parameters for the layout of the response. */
export const filterValues = ({ filters }: Report, asked: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.keys(filters).map((name) => [name, asked[name]]));
