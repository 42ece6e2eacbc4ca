import { COLUMNS, KINDS, missingIn, PRODUCTS, type KindName } from './columns/index.ts';
import { DATE_FORMATS, type DateFormat } from '../../../kernel/base/csv/read-date.ts';
import { id, boolean, instant, integer, listOf, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { OBJECTS, type Fate } from './kinds/index.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';
import type { ColumnOf } from './column.ts';

export const FATES = ['created', 'changed', 'unchanged', 'rejected'] as const satisfies readonly Fate[];
export const DATE_FORMAT_NAMES = Object.keys(DATE_FORMATS) as DateFormat[];

/** Files contain what other programs stored about people, so viewers need permission to see everything. */
const VISIBLE: Policy = {
  provider: (_t, viewer) => viewer.permissions.has('super_admin'),
  customer: false,
  unregistered: false,
};

export const STATUSES = ['ready', 'checking', 'checked', 'running', 'complete', 'cancelled', 'failed'] as const;

const count = () => integer({ min: 0 });
const stored = (column: string) => count().from((t) => raw(`${t}.${column}_count`));

/** Selects the meaning of the columns, and what is missing before the file can be checked. */
const missing = ([columns, kind, unclear]: (string | null)[]): string[] => [
  ...missingIn(
    kind as KindName,
    new Set((JSON.parse(columns!) as ColumnOf[]).flatMap(({ property }) => property ?? [])),
  ),
  ...(unclear === 't' || unclear === 'true' ? ['date_format'] : []),
];

export const importFile = resource('import', {
  description: 'A file of customers, memberships, events, staff or bookings from another product, to be moved in.',
  fields: {
    id: id(),
    file_name: text({ max: 255 }).nullable(),
    kind: oneOf(KINDS).describe('What its rows are. It is recognised by the names of the columns.'),
    makes: text()
      .computed(
        (t) => [raw(`${t}.kind`)],
        ([kind]) => OBJECTS[kind as KindName],
      )
      .describe('The object that a row becomes.'),
    product: oneOf(PRODUCTS).nullable().describe('The product that wrote the file. Null if it isn’t recognised.'),
    source: text({ max: 50 }).describe(
      'Where the ids in the file come from. Files of one source find what each other has brought.',
    ),
    status: oneOf(STATUSES)
      .from((t) =>
        raw(`CASE WHEN ${t}.status IN ('checking', 'running') THEN coalesce((SELECT j.state FROM job j
          WHERE j.provider_id = ${t}.provider_id AND j.id = ${t}.job_id AND j.state IN ('cancelled', 'failed')), ${t}.status) ELSE ${t}.status END`),
      )
      .describe('`checked`: a dry run is complete. `complete`: the rows are imported.'),
    job: ref('job').nullable().describe('The last check or run.'),
    format: oneOf(['csv', 'xlsx']),
    encoding: text({ max: 20 }).nullable().describe('Null for a workbook.'),
    delimiter: oneOf([',', ';', '\t', '|']).nullable().describe('Null for a workbook.'),
    date_format: oneOf(DATE_FORMAT_NAMES)
      .nullable()
      .describe('The order of day and month. Null if no date of the file depends on it, or nobody can tell.'),
    columns: listOf(
      object({
        heading: text({ blank: true }),
        property: text().nullable(),
        samples: listOf(text({ blank: true })),
      }),
    ).describe('The columns in their order, what each of them is, and some of its values.'),
    properties: listOf(text())
      .computed(
        (t) => [raw(`${t}.kind`)],
        ([kind]) => Object.keys(COLUMNS[kind as KindName].properties),
      )
      .describe('What a column of such a file can be.'),
    missing: listOf(text())
      .computed((t) => [raw(`${t}.columns`), raw(`${t}.kind`), raw(`${t}.dates_unclear`)], missing)
      .describe(
        'What must be said before the file can be checked: properties that no column has, with alternatives separated by `|`, or `date_format`.',
      ),
    row_count: count(),
    done_count: count().describe('Rows that the last check or run is done with.'),
    created_count: stored('created'),
    changed_count: stored('changed'),
    unchanged_count: stored('unchanged'),
    rejected_count: stored('rejected'),
    has_rows: boolean()
      .from((t) => raw(`(${t}.rows_deleted_at IS NULL)`))
      .describe('False once the rows were deleted, 30 days after the upload.'),
    created_at: instant(),
    finished_at: instant().nullable().describe('When the last check or run ended.'),
  },
  visible: VISIBLE,
});

export const importRow = resource('import_row', {
  description: 'A row of an imported file, and what becomes of it.',
  fields: {
    id: id(),
    line: integer({ min: 1 }).describe('In the file. The names of the columns are in line 1.'),
    fate: oneOf(FATES).nullable().describe('By the last check or run. Null if it has not come to this row yet.'),
    result: id()
      .nullable()
      .from((t) =>
        raw(`CASE WHEN EXISTS (SELECT FROM import i WHERE i.provider_id = ${t}.provider_id AND i.id = ${t}.import_id
          AND i.status IN ('running', 'complete')) THEN ${t}.object_id END`),
      )
      .describe('The object that it became. Null after a dry run.'),
    issues: listOf(object({ column: text({ blank: true }), value: text({ blank: true }), reason: text() })).describe(
      'Why it is rejected. In a row that is imported: what was left out, or is worth a look.',
    ),
    cells: listOf(text({ blank: true }))
      .from((t) => raw(`coalesce(${t}.cells, '[]'::jsonb)`))
      .describe('Its values, in the order of the columns.'),
  },
  visible: VISIBLE,
});
