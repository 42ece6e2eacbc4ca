/**
 * The sweep of images that nothing uses, and of files that belong to no image. A rollback can't remove files that were
 * written in the transaction, so a marker is stored before them (`BEGUN`), and again before rows are deleted. An hour
 * later, the row exists or not: then the marker is removed, together with the files of an image that doesn't exist.
 */
import { BEGUN, folderOf } from './addresses.ts';
import { imageUses } from './uses.ts';
import { instant, join, sql } from '../../../kernel/base/db/sql.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const WEEK = 7 * 86_400_000;
const HOUR = 3_600_000;
const BATCH_SIZE = 200;

export async function sweepImages(tx: Transaction, now: number, { files }: Pick<Installation, 'files'>): Promise<void> {
  await deleteUnused(tx, now, files);
  await removeLost(tx, files);
}

/** Marks the files of all images of a business, so that they are removed later if their rows are gone. */
export async function forgetImageFiles(tx: Transaction, files: FileStore, providerId: number): Promise<void> {
  const all = await tx.rows<{ key: string }>(sql`SELECT key FROM image WHERE provider_id = ${providerId}`);
  for (const { key } of all) await files.put(`${BEGUN}/${providerId}_${key}`, Buffer.alloc(0));
}

async function deleteUnused(tx: Transaction, now: number, files: FileStore): Promise<void> {
  const unused = imageUses.items.map(({ used }) => sql` AND NOT (${used('t')})`);
  const found = await tx.rows<{ provider_id: number; id: number; key: string }>(
    sql`SELECT t.provider_id, t.id, t.key FROM image t
      WHERE t.created_at < ${instant(now - WEEK)}::timestamptz${join(unused, '')}
      ORDER BY t.provider_id, t.id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`,
  );
  if (found.length === 0) return;
  for (const { provider_id, key } of found) await files.put(`${BEGUN}/${provider_id}_${key}`, Buffer.alloc(0));
  await tx.run(
    sql`DELETE FROM image t
      USING unnest(${found.map((one) => one.provider_id)}::bigint[], ${found.map((one) => one.id)}::bigint[]) AS old
        (provider_id, id)
      WHERE t.provider_id = old.provider_id AND t.id = old.id`,
  );
}

async function removeLost(tx: Transaction, files: FileStore): Promise<void> {
  // Uses the clock of the files, which no business changes.
  const before = Date.now() - HOUR;
  const notes = (await files.list(BEGUN))
    .filter(({ at }) => at < before)
    .slice(0, BATCH_SIZE)
    .map(({ name }) => ({
      note: `${BEGUN}/${name}`,
      provider: Number(name.split('_', 1)[0]),
      key: name.slice(name.indexOf('_') + 1),
    }));
  if (notes.length === 0) return;
  // A sweep for one business can't see the others, so it knows nothing about their images.
  const known = await tx.rows<{ provider_id: number; key: string; kept: boolean }>(
    sql`SELECT note.provider_id, note.key, EXISTS
      (SELECT FROM image t WHERE t.provider_id = note.provider_id AND t.key = note.key) AS kept
      FROM unnest(${notes.map((one) => one.provider)}::bigint[], ${notes.map((one) => one.key)}::text[]) AS note
        (provider_id, key)
      WHERE note.provider_id = coalesce(current_provider_id(), note.provider_id)`,
  );
  for (const { provider_id: provider, key, kept } of known) {
    if (!kept) await files.remove(folderOf({ provider, key }));
    await files.remove(`${BEGUN}/${provider}_${key}`);
  }
}
