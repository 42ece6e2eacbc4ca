/** Lists in an archive: one JSON object per line. */
import { ArchiveDamaged } from './tar.ts';

/** Longer than any row: the longest texts and email pictures are far shorter. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Yields the lines of a file, without line ends.
 * @throws ArchiveDamaged
 */
export async function* linesOf(content: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  const text = new TextDecoder('utf-8', { fatal: true });
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length > MAX_LINE_BYTES)
      throw new ArchiveDamaged(`${path} has a line longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB`);
    parts.push(part);
  };
  for await (const chunk of content) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, to));
      const line = Buffer.concat(parts);
      parts = [];
      length = 0;
      from = to + 1;
      try {
        yield text.decode(line);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        throw new ArchiveDamaged(`${path} has a line that is not UTF-8`);
      }
    }
    add(chunk.subarray(from));
  }
  if (length > 0) throw new ArchiveDamaged(`${path} ends in the middle of a line`);
}

/**
 * Returns the row in a line, which must have exactly these names.
 * @throws ArchiveDamaged
 */
export function rowOf(line: string, columns: readonly string[], path: string): Record<string, any> {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw new ArchiveDamaged(`${path} has a line that is not JSON`);
  }
  const names = typeof row === 'object' && row !== null && !Array.isArray(row) ? Object.keys(row) : null;
  if (
    names === null ||
    names.length !== columns.length ||
    !columns.every((column) => Object.hasOwn(row as object, column))
  )
    throw new ArchiveDamaged(`${path} has a line that is not a row of ${columns.join(', ')}`);
  return row as Record<string, any>;
}
