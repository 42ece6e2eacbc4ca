import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { importFeed } from './feed.ts';
import { importFile } from './import-file.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { KINDS } from './columns/index.ts';
import { MAX_BYTES, MAX_ROWS, recognise, type Recognised } from './recognise.ts';
import { oneOf, text, upload } from '../../../kernel/base/fields/kinds.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Parsed files by the uploaded buffer. They are parsed before the transaction opens, because that takes long. */
const recognised = new WeakMap<Buffer, Recognised>();

const BATCH = 2000;

export const uploadImport = create(importFile, {
  path: '/imports',
  summary: 'Upload a file to move in',
  description: `Takes a CSV file or a workbook (.xlsx, its first sheet) of at most ${MAX_BYTES / 1024 / 1024} MB and ${MAX_ROWS} rows, as \`multipart/form-data\` or as base64 in JSON, and says what it is: the kind of its rows, the product that wrote it, its encoding, delimiter, order of dates, and what each column is. Nothing is imported yet. The rows are deleted after 30 days.`,
  who: staffWith('super_admin'),
  body: {
    file: upload({ max: MAX_BYTES }).describe('The file, or its bytes as base64.'),
    file_name: text({ max: 255 }).nullable().optional().describe('To find it again.'),
    kind: oneOf(KINDS).optional().describe('If left out, it is recognised by the names of the columns.'),
    source: text({ max: 50 })
      .optional()
      .describe('Where the ids in the file come from. If left out: the product, or else `file`.'),
  },
  problems: ['unavailable'],
  ahead: async (body, _, whose) => {
    recognised.set(body.file!, await recognise(body.file!, body.kind ?? null, whose));
  },
  run: async ({ work, body }) => {
    const found = recognised.get(body.file)!;
    const id = await insertRow(work, 'import', {
      file_name: body.file_name ?? null,
      kind: found.kind,
      product: found.product,
      source: body.source ?? found.product ?? 'file',
      format: found.written === null ? 'xlsx' : 'csv',
      encoding: found.written?.encoding ?? null,
      delimiter: found.written?.delimiter ?? null,
      date_format: found.dates.format,
      dates_unclear: found.dates.unclear,
      columns: json(found.columns),
      row_count: found.rows.length + found.unreadable.length,
    });
    await insertRows(work, id, found);
    work.record(importFeed.created, id, { import: id, kind: found.kind });
    return id;
  },
});

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
