import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { withEarlier } from './earlier.ts';
import { importFeed } from './feed.ts';
import { importFile } from './import-file.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { KINDS, type KindName } from './columns/index.ts';
import { SEARCHED } from './heading.ts';
import { MAX_BYTES, MAX_ROWS, recognise, type Recognised } from './recognise.ts';
import { integer, oneOf, ref, text, upload } from '../../../kernel/base/fields/kinds.ts';
import { deleteImported } from './change.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { refuseWhileBusy, type StoredImport } from './stored.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Parsed files by the uploaded buffer. They are parsed before the transaction opens, because that takes long. */
const recognised = new WeakMap<Buffer, Recognised>();

const BATCH = 2000;

export const uploadImport = create(importFile, {
  path: '/imports',
  summary: 'Upload a file to move in',
  description: `Takes a CSV file, a workbook (.xlsx) or a calendar (.ics, its next 366 days) of at most ${MAX_BYTES / 1024 / 1024} MB and ${MAX_ROWS} rows, as \`multipart/form-data\` or as base64 in JSON, and says what it is: the kind of its rows, the product that wrote it, its encoding, delimiter, order of dates, and what each column is. If a file with the same columns was imported before, what was decided about it holds for this one too. Nothing is imported yet. The rows are deleted after 30 days.`,
  who: staffWith('super_admin'),
  body: {
    file: upload({ max: MAX_BYTES }).describe('The file, or its bytes as base64.'),
    file_name: text({ max: 255 }).nullable().optional().describe('To find it again.'),
    kind: oneOf(KINDS).optional().describe('If left out, it is recognised by the names of the columns.'),
    source: text({ max: 50 })
      .optional()
      .describe('Source of the ids in the file. If left out: the product, or else `file`.'),
    sheet: text({ max: 255 }).optional().describe('Name of the sheet of a workbook. If left out, the first one.'),
    heading_line: integer({ min: 1, max: SEARCHED })
      .optional()
      .describe('The line that names the columns. If left out, it is recognised: see `POST /imports/first_rows`.'),
    replaces: ref('import')
      .optional()
      .describe('An import of the same file that was read wrongly and is not imported yet. It is deleted.'),
  },
  problems: ['unavailable', 'conflict'],
  ahead: async ({ file, kind = null, sheet, heading_line: heading }, _, whose, clock) => {
    recognised.set(file!, await recognise(file!, { kind, place: { sheet, heading } }, whose, clock));
  },
  run: async ({ work, body }) => {
    const read = recognised.get(body.file)!;
    const id = await storeFile(work, { read, fileName: body.file_name ?? null, ...body });
    if (body.replaces !== undefined) await deleteUnused(work, body.replaces);
    return id;
  },
});

async function deleteUnused(work: Work, id: number): Promise<void> {
  const { tx, providerId } = work;
  const before = await tx.one<StoredImport & Record<string, unknown>>(
    sql`SELECT * FROM import WHERE provider_id = ${providerId} AND id = ${id} FOR UPDATE`,
  );
  // Somebody may have deleted it in the meantime.
  if (!before) return;
  await refuseWhileBusy(work, before);
  if (before.status === 'running' || before.status === 'complete')
    throw new Problem('conflict', 'Rows of that file were imported already. Leave out `replaces`.');
  await deleteImported(work, before);
}

interface Stored {
  readonly read: Recognised;
  readonly fileName: string | null;
  readonly kind?: KindName;
  readonly source?: string;
}

/** Stores a file with its rows. Returns the id of the import. */
export async function storeFile(work: Work, { read, fileName, kind, source }: Stored): Promise<number> {
  const { read: found, earlier } = await withEarlier(work, read, kind ?? null);
  const id = await insertRow(work, 'import', {
    file_name: fileName,
    kind: found.kind,
    kind_confirmed: !found.unclear,
    product: found.product,
    source: source ?? earlier?.source ?? found.product ?? 'file',
    format: found.format,
    encoding: found.written?.encoding ?? null,
    delimiter: found.written?.delimiter ?? null,
    date_format: found.dates.format,
    dates_unclear: found.dates.unclear,
    heading_line: found.headingLine,
    source_confirmed:
      source !== undefined || earlier?.source_confirmed === true || (await isConfirmed(work, found.product)),
    columns: json(found.columns),
    words: json(found.words),
    row_count: found.rows.length + found.unreadable.length,
  });
  await insertRows(work, id, found);
  work.record(importFeed.created, id, { import: id, kind: found.kind });
  return id;
}

/** Without a product, the ids belong to the file itself. A product that was confirmed once isn't a question again. */
async function isConfirmed({ tx, providerId }: Work, product: string | null): Promise<boolean> {
  if (product === null) return true;
  const before = await tx.one(sql`SELECT FROM import
    WHERE provider_id = ${providerId} AND source = ${product} AND source_confirmed LIMIT 1`);
  return before !== undefined && before !== null;
}

async function insertRows({ tx, providerId }: Work, id: number, { rows, unreadable }: Recognised): Promise<void> {
  const all = [
    ...rows.map(({ line, cells }) => ({ line, cells: json(cells), issues: '[]' })),
    ...unreadable.map(({ line, column, value, reason }) => ({
      line,
      cells: null,
      issues: json([{ column, value, reason }]),
    })),
  ].toSorted((a, b) => a.line - b.line);
  for (let from = 0; from < all.length; from += BATCH) {
    const some = all.slice(from, from + BATCH);
    await tx.run(sql`INSERT INTO import_row (provider_id, import_id, line, cells, issues)
      SELECT ${providerId}::bigint, ${id}::bigint, r.line, r.cells, r.issues
      FROM unnest(${some.map((r) => r.line)}::int[], ${some.map((r) => r.cells)}::jsonb[],
        ${some.map((r) => r.issues)}::jsonb[]) AS r (line, cells, issues)`);
  }
}
