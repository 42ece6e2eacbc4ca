/** Corrections of how a file was recognized. */
import { action, one, remove, staffWith, type Endpoint } from '../../../kernel/api/endpoint.ts';
import { COLUMNS, KINDS, PROPERTIES, type KindName } from './columns/index.ts';
import { changedNames, updateRow } from '../../../kernel/work/unit/row.ts';
import { DATE_FORMAT_NAMES, importFile } from './import-file.ts';
import { datesOf, type Dates } from './recognise.ts';
import type { ColumnOf } from './column.ts';
import { forgetFates, NOTHING_DONE, refuseWhileBusy, refuseWithoutRows, type StoredImport } from './stored.ts';
import { importDeleted, importUpdated } from './feed.ts';
import { Issues } from '../../../kernel/base/problem.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { propertiesOf } from './match.ts';
import type { CsvRow } from '../../../kernel/base/csv/read-csv.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Wanted = readonly { readonly heading: string; readonly property: string | null }[];

const changeImport = action({
  method: 'PATCH',
  path: '/imports/{id}',
  summary: 'Change what a file is taken for',
  description:
    'Says what the columns are, of which kind the rows are, or which order the dates have. The columns that are not named stay. Another kind recognises all columns anew. Afterwards, check the file again.',
  who: staffWith('super_admin'),
  target: importFile,
  returns: one(importFile),
  body: {
    kind: oneOf(KINDS).optional(),
    source: text({ max: 50 }).optional(),
    date_format: oneOf(DATE_FORMAT_NAMES)
      .nullable()
      .optional()
      .describe('Null: the order that the dates of the file show themselves.'),
    columns: listOf(
      object({
        heading: text({ max: 200, blank: true }),
        property: oneOf(PROPERTIES).nullable(),
        samples: listOf(text({ blank: true }))
          .optional()
          .describe('As in the answer. Ignored.'),
      }),
      { max: 200 },
    ).optional(),
  },
  problems: ['conflict'],
  run: async ({ work, target, body }) => {
    const before = target as StoredImport;
    refuseWithoutRows(before);
    await refuseWhileBusy(work, before);
    const kind = body.kind ?? before.kind;
    const columns = mappedColumns(before, kind, body.columns ?? []);
    const changed =
      kind !== before.kind ||
      json(columns) !== json(before.columns) ||
      (body.source ?? before.source) !== before.source;
    if (!changed && (body.date_format === undefined || body.date_format === before.date_format)) return before.id;
    const format = body.date_format === undefined ? before.date_format : body.date_format;
    const dates: Dates =
      format === null ? datesOf(kind, columns, await storedRows(work, before.id)) : { format, unclear: false };
    work.touch('import', before.id, before as unknown as Record<string, unknown>);
    await updateRow(work, 'import', before.id, {
      ...NOTHING_DONE,
      kind,
      source: body.source,
      columns: json(columns),
      date_format: dates.format,
      dates_unclear: dates.unclear,
      status: 'ready',
    });
    await forgetFates(work, before.id);
    work.record(importUpdated, before.id, { import: before.id, changed: changedNames(body) });
    return before.id;
  },
});

/** Maps each property to one column: a column that the request names takes the property from the column that had it. */
function mappedColumns({ columns, kind }: StoredImport, now: KindName, wanted: Wanted): ColumnOf[] {
  const issues = new Issues();
  const headings = columns.map(({ heading }) => heading);
  for (const [i, { heading, property }] of wanted.entries()) {
    if (!headings.includes(heading)) issues.add(`columns.${i}.heading`, `The file has no column "${heading}".`);
    if (property !== null && !(property in COLUMNS[now].properties))
      issues.add(
        `columns.${i}.property`,
        `A column of ${now} can't be this. It can be: ${Object.keys(COLUMNS[now].properties).join(', ')}.`,
      );
    if (property !== null && wanted.some((other, n) => n !== i && other.property === property))
      issues.add(`columns.${i}.property`, 'Another column is this already.');
  }
  issues.throwIfAny();
  const recognised = now === kind ? columns.map(({ property }) => property) : propertiesOf(now, headings);
  const taken = new Set(wanted.map(({ property }) => property));
  return columns.map((column, i) => {
    const said = wanted.find(({ heading }) => heading === column.heading);
    const own = recognised[i];
    return { ...column, property: said ? said.property : own !== null && taken.has(own) ? null : own };
  });
}

const storedRows = ({ tx, providerId }: Work, id: number): Promise<CsvRow[]> =>
  tx.rows<CsvRow & Record<string, unknown>>(
    sql`SELECT line, cells FROM import_row WHERE provider_id = ${providerId} AND import_id = ${id} AND cells IS NOT NULL ORDER BY line`,
  );

const deleteImport = remove(importFile, {
  path: '/imports/{id}',
  summary: 'Delete an import',
  description: 'Deletes the file and what is known of its rows. Everything that was imported stays.',
  who: staffWith('super_admin'),
  problems: ['conflict'],
  run: async ({ work, target }) => {
    await refuseWhileBusy(work, target as StoredImport);
    work.touch('import', target.id, target);
    await work.tx.run(sql`DELETE FROM import WHERE provider_id = ${work.providerId} AND id = ${target.id}`);
    work.record(importDeleted, target.id, { import: target.id });
  },
});

export const changeImports: Endpoint[] = [changeImport, deleteImport];
