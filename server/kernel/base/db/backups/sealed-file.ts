/**
 * Whole files sealed for a place that others can read: AES-256-GCM under a key derived from the secret key of the
 * installation. A sealed file begins with a mark, the id of its key and the nonce, and ends with the tag.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, openSync, readSync, closeSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { SecretBox } from '../../secret-box.ts';

const MARK = Buffer.from('rollcall sealed file 1\n');
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MARK.length + ID_BYTES + NONCE_BYTES;

/** The file can't be opened. `message` gives the reason and the remedy. */
export class NotOpenedFile extends Error {
  override name = 'NotOpenedFile';
}

/** Yields the sealed form of a file. */
export async function* sealFile(file: string, box: Pick<SecretBox, 'fileKey'>): AsyncGenerator<Buffer> {
  const { id, key } = box.fileKey;
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([MARK, Buffer.from(id), nonce]);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(head);
  yield head;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) yield cipher.update(piece);
  yield cipher.final();
  yield cipher.getAuthTag();
}

/** Returns true for a file in the sealed form. */
export const isSealedFile = (file: string): boolean => readBytes(file, 0, MARK.length).equals(MARK);

/**
 * Writes the opened file. `into` exists only if all of the file was right.
 * @throws NotOpenedFile
 */
export async function openSealedFile(file: string, into: string, box: SecretBox | null): Promise<void> {
  const { size } = statSync(file);
  const head = readBytes(file, 0, HEAD_BYTES);
  const id = head.subarray(MARK.length, MARK.length + ID_BYTES).toString();
  const key = box?.findFileKey(id);
  if (!key)
    throw new NotOpenedFile(
      `${file} is sealed with another secret key. Remedy: put the key of the installation that made it in DATA_DIR/secret.key, or set SECRET_KEY.`,
    );
  if (size <= HEAD_BYTES + TAG_BYTES) throw damaged(file);
  const decipher = createDecipheriv('aes-256-gcm', key, head.subarray(-NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(head);
  decipher.setAuthTag(readBytes(file, size - TAG_BYTES, TAG_BYTES));
  try {
    const content = createReadStream(file, { start: HEAD_BYTES, end: size - TAG_BYTES - 1 });
    await pipeline(content, decipher, createWriteStream(into, { mode: 0o600, flush: true }));
  } catch (error) {
    rmSync(into, { force: true });
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw damaged(file);
  }
}

const damaged = (file: string): NotOpenedFile =>
  new NotOpenedFile(`${file} is cut off or was altered. Remedy: use another backup.`);

function readBytes(file: string, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const handle = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, length, at));
  } finally {
    closeSync(handle);
  }
}
