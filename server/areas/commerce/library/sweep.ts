/**
 * Deletes files that no content uses, and stored files without a row. A marker is stored before each file, and again
 * before a row is deleted, because a rollback doesn't remove files. An hour later, the row exists or not.
 */
import { folderOf, type LinkedFile } from './links.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
const BATCH_SIZE = 200;
const BEGUN = 'library-begun';

export const markBegun = (files: FileStore, { provider, key }: LinkedFile): Promise<void> =>
  files.put(`${BEGUN}/${provider}_${key}`, Buffer.alloc(0));

export async function sweepContentFiles(
  tx: Transaction,
  now: number,
  { files }: Pick<Installation, 'files'>,
): Promise<void> {
  const unused = await tx.rows<{ provider: number; id: number; key: string }>(sql`
    SELECT f.provider_id AS provider, f.id, f.key FROM content_file f
    WHERE f.created_at < ${instant(now - WEEK_MS)}::timestamptz
      AND NOT EXISTS (SELECT FROM content n WHERE n.provider_id = f.provider_id AND n.content_file_id = f.id)
    ORDER BY f.provider_id, f.id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`);
  for (const file of unused) await markBegun(files, file);
  if (unused.length > 0)
    await tx.run(sql`DELETE FROM content_file f
      USING unnest(${unused.map((one) => one.provider)}::bigint[], ${unused.map((one) => one.id)}::bigint[]) AS old
        (provider_id, id)
      WHERE f.provider_id = old.provider_id AND f.id = old.id`);
  await removeLost(tx, files);
}

async function removeLost(tx: Transaction, files: FileStore): Promise<void> {
  // Uses the clock of the files, which no business changes.
  const before = Date.now() - HOUR_MS;
  const marked = (await files.list(BEGUN))
    .filter(({ at }) => at < before)
    .slice(0, BATCH_SIZE)
    .map(({ name }) => ({ provider: Number(name.split('_', 1)[0]), key: name.slice(name.indexOf('_') + 1) }));
  if (marked.length === 0) return;
  // A sweep for one business can't see the others, so it knows nothing about their files.
  const known = await tx.rows<LinkedFile & { kept: boolean }>(sql`
    SELECT m.provider_id AS provider, m.key, EXISTS (SELECT FROM content_file f
      WHERE f.provider_id = m.provider_id AND f.key = m.key) AS kept
    FROM unnest(${marked.map((one) => one.provider)}::bigint[], ${marked.map((one) => one.key)}::text[]) AS m
      (provider_id, key)
    WHERE m.provider_id = coalesce(current_provider_id(), m.provider_id)`);
  for (const { kept, ...file } of known) {
    if (!kept) await files.remove(folderOf(file));
    await files.remove(`${BEGUN}/${file.provider}_${file.key}`);
  }
}
