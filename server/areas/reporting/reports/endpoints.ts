/** The endpoints of a report, derived from its declaration. */
import { read, staffWith, table, type Endpoint, type ReadCall } from '../../../kernel/api/endpoint.ts';
import { askedOf, readGroups, readRows, type Reading, type ReportPage } from './read-report.ts';
import {
  boolean,
  called,
  integer,
  listOf,
  map,
  object,
  oneOf,
  text,
  together,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { groupedColumns, groupsAsked, hasPivot, ID_GT, PART, partOf, rowsAsked, SORT } from './ask.ts';
import { pageCsv } from './page-csv.ts';
import { pivotKey, type GroupValues } from './groups.ts';
import { rowShape } from './names.ts';
import { refreshStored } from './stored/refresh.ts';
import type { Report } from './report.ts';
import type { Columns } from './columns.ts';
import type { Shape } from '../../../kernel/base/fields/field.ts';

const HEADER: Shape = {
  label: text(),
  key: text().describe('Path of the value in each row. Dots separate the names of nested objects.'),
  sortable: boolean(),
  definition: text().describe('Definition of the column.'),
  holds_customer_id: boolean().optional(),
  sorted: object({ order: oneOf(['desc', 'asc']), priority: integer({ min: 1 }) }).optional(),
  required: boolean().optional().describe('True for what the rows are grouped by.'),
};

const ROWS = called(
  'url_of_rows',
  uri(16_000).describe('URL of the rows of the group, with the filters of this request.'),
).optional();

const PERIODS: Shape = {
  pivot: called(
    'counts_of_periods',
    map().describe('With `pivot`: the count of each period, for example `2026-01`.'),
  ).optional(),
  pivot_rows: called(
    'urls_of_periods',
    map().describe('With `pivot`: the URL of the rows that are counted in each period.'),
  ).optional(),
};

const pageShape = (columns: Columns, more: Shape = {}): Shape => ({
  ...together('report_page', {
    total: integer({ min: 0 }).describe('Rows in all, however many of them are in this answer.'),
    column_headers: listOf(called('report_column', object(HEADER))),
    next: uri().nullable().describe('URL of the rows that follow. Null if there are none.'),
  }),
  rows: listOf(object({ ...rowShape(columns), ...more })),
});

const pageName = ({ name }: Report, form: 'rows' | 'groups'): string =>
  `${name}_report${form === 'groups' ? '_groups' : ''}`;

/** Returns who may read a report: staff with one of its permissions, and super admins. */
export const whoReads = ({ who }: Report) => staffWith('super_admin', ...who);

export const pathOf = ({ name }: Report, form: 'rows' | 'groups'): string =>
  `/reports/${name}${form === 'groups' ? '.grouped' : ''}`;

/** How to get the rows that are usually left out. */
const leftIn = ({ unless = {} }: Report): string =>
  Object.keys(unless)
    .map((filter) => ` With \`${filter}=true\`, nothing is left out.`)
    .join('');

export const dataEndpoints = (report: Report): Endpoint[] => [
  read({
    path: `${pathOf(report, 'rows')}/data`,
    summary: `Read the report: ${report.title}`,
    description: `${report.description}${leftIn(report)}`,
    replica: true,
    ...prepared(report),
    who: whoReads(report),
    query: { ...rowsAsked(report), ...together('report_rows_part', { ...SORT(report.columns), ...PART, ...ID_GT }) },
    returns: table(pageName(report, 'rows'), pageShape(report.columns), pageCsv),
    run: async (call) => answered(call, await readRows(report, call.query, readingOf(report, call))),
  }),
  ...(report.grouped
    ? [
        read({
          path: `${pathOf(report, 'groups')}/data`,
          summary: `Read the report in groups: ${report.title}`,
          description: `Counts the rows of \`GET ${pathOf(report, 'rows')}/data\` in groups.`,
          replica: true,
          ...prepared(report),
          who: whoReads(report),
          query: {
            ...groupsAsked(report),
            ...together('report_groups_part', { ...SORT(groupedColumns(report)), ...PART }),
          },
          returns: table(
            pageName(report, 'groups'),
            pageShape(groupedColumns(report), {
              rows: ROWS,
              ...(hasPivot(report) && PERIODS),
            }),
            pageCsv,
          ),
          run: async (call) => {
            const { groups, periods, ...page } = await readGroups(report, call.query, readingOf(report, call));
            const rowsOf = rowsOfGroup(report, call);
            const ofPeriods = (group: GroupValues) =>
              Object.fromEntries(
                periods.map((period) => [period, rowsOf({ ...group, [pivotKey(call.query.pivot)]: period })]),
              );
            return answered(call, {
              ...page,
              rows: page.rows.map((row, n) => ({
                ...row,
                rows: rowsOf(groups[n]),
                ...(periods.length > 0 && { pivot_rows: ofPeriods(groups[n]) }),
              })),
            });
          },
        }),
      ]
    : []),
];

/** Stored rows are brought up to date before the transaction opens, so that it sees them. */
const prepared = ({ stored, sums }: Report) => (stored || sums ? { prepares: refreshStored } : {});

const readingOf = (report: Report, { work, query, baseUrl, pagesUrl, prepared: settled }: ReadCall): Reading => ({
  asked: askedOf(report, query, { viewer: work.viewer, around: { now: work.now, zone: work.tenant.zone } }),
  wire: { ...work.tenant, baseUrl, pagesUrl, now: work.now, secrets: work.installation.box },
  send: (commands) => work.tx.send(commands),
  settled,
});

/** Parameters for the layout of a grouped report, which don't select rows. */
const FORM = ['columns', 'pivot', 'max_pivot_columns', ...Object.keys(SORT({})), ...Object.keys(PART)];

/** Returns the address of a group's rows: the rows of the request that belong to the group. */
function rowsOfGroup({ name, rowsIn }: Report, { addressWith, query }: ReadCall) {
  const [path, search] = addressWith({}).split('?');
  const asked = new URLSearchParams(search);
  for (const one of FORM) asked.delete(one);
  const rows = path.replace(/[^/]+\/data$/, `${rowsIn?.report ?? name}/data`);
  const within = query.group ?? {};
  return (group: GroupValues): string => {
    const parameters = new URLSearchParams(asked);
    const values = Object.entries({ ...within, ...group }).map(([key, value]) => [rowsIn?.by[key] ?? key, value]);
    if (values.length > 0) parameters.set('group', JSON.stringify(Object.fromEntries(values)));
    return `${rows}${parameters.size > 0 ? `?${parameters}` : ''}`;
  };
}

/** Returns the page with the address of the next one. */
function answered({ query, addressWith }: ReadCall, { following, lastId, ...page }: ReportPage) {
  const { offset } = partOf(query);
  const next: Record<string, string> =
    query.id_gt !== undefined
      ? { id_gt: String(lastId) }
      : query.page !== undefined
        ? { page: String(query.page + 1) }
        : { offset: String(offset + page.rows.length) };
  return { ...page, next: following > 0 ? addressWith(next) : null };
}
