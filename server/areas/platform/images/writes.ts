/** The write of images, for the upload and for the demo. */
import { randomBytes } from 'node:crypto';
import { BEGUN, fileOf, type Stored } from './addresses.ts';
import { imageFeed } from './feed.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import type { Drawn } from './draw.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Created extends Stored {
  readonly id: number;
}

/** `dryRun`: writes only the row, in a transaction that is rolled back. */
export async function createImage(work: Work, drawn: Drawn, { dryRun = false } = {}): Promise<Created> {
  const { files, widths, width, height, fallback, originalWidth, originalHeight } = drawn;
  const key = randomBytes(16).toString('base64url');
  const of = { provider: work.providerId, key };
  if (!dryRun) {
    const store = work.installation.files;
    // The marker comes first: files without a row are found by it.
    await store.put(`${BEGUN}/${of.provider}_${key}`, Buffer.alloc(0));
    for (const file of files) await store.put(fileOf(of, file.width, file.ending), file.bytes);
  }
  const id = await insertRow(work, 'image', {
    key,
    user_id: work.viewer.userId,
    original_width: originalWidth,
    original_height: originalHeight,
    widths,
    width,
    height,
    fallback,
  });
  work.record(imageFeed.created, id, { image: id });
  return { id, ...of, widths, width, height, fallback };
}
