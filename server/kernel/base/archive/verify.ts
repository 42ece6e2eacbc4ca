/** Reads an archive from beginning to end, and trusts nothing in it that has not been checked. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MANIFEST, MAX_MANIFEST_BYTES, readManifest, type Manifest, type Part } from './manifest.ts';
import { ArchiveDamaged, readTar, type TarFile } from './tar.ts';
import { linesOf, rowOf } from './lines.ts';
import { createSeal, WrongPassphrase, type ArchiveSeal } from './passphrase.ts';

/** Reads the manifest, before anything else. */
export async function openArchive<T>(
  file: string,
  read: (manifest: Manifest, parts: AsyncGenerator<OpenPart>) => Promise<T>,
): Promise<T> {
  const source = createReadStream(file);
  await once(source, 'open');
  const gunzip = createGunzip();
  const piped = pipeline(source, gunzip);
  piped.catch(() => undefined);
  try {
    const files = readTar(gunzip as AsyncIterable<Buffer>);
    const { value: first } = await files.next();
    if (first?.name !== MANIFEST || first.bytes > MAX_MANIFEST_BYTES)
      throw new ArchiveDamaged('it is not an archive of a business');
    const text: Buffer[] = [];
    for await (const piece of first.content) text.push(piece);
    const manifest = readManifest(Buffer.concat(text).toString());
    return await read(manifest, partsOf(manifest, files));
  } catch (error) {
    // gzip reports damage as an error of its own.
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? new ArchiveDamaged('it is cut off or was altered', { cause: error }) : error;
  } finally {
    source.destroy();
    gunzip.destroy();
    await finished(gunzip).catch(() => undefined);
  }
}

/** A part during reading: its content is checked at its end. */
export interface OpenPart {
  readonly part: Part;
  readonly content: AsyncIterable<Buffer>;
}

/** Yields exactly the parts in the manifest, in order. */
async function* partsOf(manifest: Manifest, files: AsyncGenerator<TarFile>): AsyncGenerator<OpenPart> {
  for (const part of manifest.parts) {
    const { value: file } = await files.next();
    if (!file) throw new ArchiveDamaged(`${part.path} is missing`);
    if (file.name !== part.path) throw new ArchiveDamaged(`it contains "${file.name}" where ${part.path} should be`);
    if (file.bytes !== part.bytes) throw new ArchiveDamaged(`${part.path} has another size than its manifest says`);
    const hash = createHash('sha256');
    const content = async function* () {
      for await (const piece of file.content) {
        hash.update(piece);
        yield piece;
      }
      if (hash.digest('hex') !== part.sha256) throw new ArchiveDamaged(`${part.path} was altered: its hash is wrong`);
    };
    yield { part, content: content() };
  }
  const { value: more } = await files.next();
  if (more) throw new ArchiveDamaged(`it contains "${more.name}", which its manifest does not name`);
}

/** The facts about a table that are needed to check its lines. */
export interface Expected {
  readonly columns: readonly string[];
  /** opens the sealed values of a row, to check that it is possible */
  readonly open?: (row: Record<string, any>, seal: ArchiveSeal) => void;
}

/**
 * Checks every byte of an archive: that it is complete, that all hashes are right, that each line is a row of its
 * table, and that the passphrase opens its secrets.
 * @throws ArchiveDamaged, WrongPassphrase
 */
export function verifyArchive(
  file: string,
  passphrase: string,
  check: (manifest: Manifest) => Promise<(part: Part) => Expected | 'file'>,
): Promise<{ readonly manifest: Manifest; readonly seal: ArchiveSeal }> {
  return openArchive(file, async (manifest, parts) => {
    const expected = await check(manifest);
    const seal = await createSeal(passphrase, manifest.secrets.salt);
    if (seal.check !== manifest.secrets.check)
      throw new WrongPassphrase(
        'The passphrase is not the one that the archive was exported with. Remedy: use that passphrase.',
      );
    for await (const { part, content } of parts) {
      const what = expected(part);
      if (what === 'file') {
        // Read to its end, for its hash.
        for await (const _ of content);
        continue;
      }
      let rows = 0;
      for await (const line of linesOf(content, part.path)) {
        const row = rowOf(line, what.columns, part.path);
        what.open?.(row, seal);
        rows++;
      }
      if (rows !== part.rows)
        throw new ArchiveDamaged(`${part.path} has ${rows} rows, and its manifest says ${part.rows}`);
    }
    return { manifest, seal };
  });
}

export const JOB_COLUMNS = ['key', 'payload', 'run_at', 'task', 'urgency'] as const;
