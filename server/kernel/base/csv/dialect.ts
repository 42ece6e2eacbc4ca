/** Encoding and separator of a file, detected from its content. Excel's files need no settings. */
import { isAscii, isUtf8 } from 'node:buffer';
import { HeadingUnreadable, Records } from './records.ts';
import type { Source } from './source.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** lines before the heading that are not part of the table */
  readonly skip: number;
}

const ENCODINGS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};
const DELIMITERS: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };
const SAMPLE_BYTES = 65_536;
const LINE_FEED = 0x0a;

/** Returns, for example, "Windows-1252, separated by semicolons". */
export const spokenDialect = ({ encoding, delimiter }: Dialect): string =>
  `${ENCODINGS[encoding]}, separated by ${DELIMITERS[delimiter] ?? `"${delimiter}"`}`;

/** @param linesAbove returns the number of lines above the heading, from the first lines of the file */
export async function recogniseDialect(
  source: Source,
  linesAbove: (lines: readonly string[]) => number = () => 0,
): Promise<Dialect> {
  const sample = await firstBytes(source);
  const encoding = encodingOf(sample) ?? (await eightBitEncoding(source));
  const lines = new TextDecoder(encoding).decode(sample, { stream: true }).split(/\r\n|\n|\r/);
  // The last one may be cut off.
  if (sample.length === SAMPLE_BYTES && lines.length > 1) lines.pop();
  const named = /^"?sep=(.)"?$/i.exec(lines[0])?.[1];
  const skip = linesAbove(lines);
  if (named !== undefined) return { encoding, delimiter: named, skip: Math.max(1, skip) };
  return { encoding, delimiter: delimiterOf(lines.slice(skip)), skip };
}

/** Returns the first lines of a text, at most `count`, without those that may be cut off. */
export async function firstLines(source: Source, encoding: Encoding, count: number): Promise<string[]> {
  const sample = await firstBytes(source);
  const lines = new TextDecoder(encoding).decode(sample, { stream: true }).split(/\r\n|\n|\r/);
  if (sample.length === SAMPLE_BYTES && lines.length > 1) lines.pop();
  return lines.slice(0, count);
}

async function firstBytes(source: Source): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source.bytes()) {
    parts.push(part);
    length += part.length;
    if (length >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, SAMPLE_BYTES);
}

/** Returns the encoding by the byte order mark, or by the zero bytes of UTF-16; null: an eight-bit encoding. */
function encodingOf(sample: Buffer): Encoding | null {
  if (sample.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8';
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i % 2]++;
  const many = sample.length / 8;
  if (zeros[1] > many && zeros[0] < zeros[1] / 4) return 'utf-16le';
  return zeros[0] > many && zeros[1] < zeros[0] / 4 ? 'utf-16be' : null;
}

/**
 * Reads the whole file: the first accented letter may be in its last line. Lines that are valid UTF-8 and lines that
 * are not are counted, so that one damaged line does not corrupt the letters of all the others.
 */
async function eightBitEncoding(source: Source): Promise<Encoding> {
  let good = 0;
  let bad = 0;
  let rest: Buffer = Buffer.alloc(0);
  const see = (bytes: Buffer): void => {
    if (isAscii(bytes)) return;
    if (isUtf8(bytes)) good++;
    else bad++;
  };
  for await (const chunk of source.bytes()) {
    let from = 0;
    const bytes =
      rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const last = bytes.lastIndexOf(LINE_FEED) + 1;
    if (!isAscii(bytes.subarray(0, last))) {
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
        see(bytes.subarray(from, end));
        from = end + 1;
      }
    }
    rest = bytes.subarray(last);
    // A line without an end must not fill the memory; cutting a letter in two hardly matters.
    if (rest.length > SAMPLE_BYTES * 16) {
      see(rest);
      rest = Buffer.alloc(0);
    }
  }
  see(rest);
  return bad > good ? 'windows-1252' : 'utf-8';
}

/**
 * Returns the separator in the heading; if there are several, the one that gives the most lines rows of equal length.
 */
function delimiterOf(lines: readonly string[]): string {
  const preview = Object.keys(DELIMITERS).map((delimiter) => {
    let rejected = 0;
    const records = new Records(delimiter, () => rejected++);
    try {
      const [heading, ...others] = [...lines.flatMap((line) => records.take(line)), ...records.end()];
      return {
        delimiter,
        columns: heading?.cells.length ?? 0,
        fitting: others.length / (others.length + rejected || 1),
      };
    } catch (error) {
      if (!(error instanceof HeadingUnreadable)) throw error;
      return { delimiter, columns: 0, fitting: 0 };
    }
  });
  const possible = preview.filter(({ columns }) => columns > 1);
  return possible.toSorted((a, b) => b.fitting - a.fitting || b.columns - a.columns)[0]?.delimiter ?? ',';
}
