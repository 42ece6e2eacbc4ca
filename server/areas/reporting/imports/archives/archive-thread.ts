/** The worker thread that unpacks one uploaded archive. Its time is limited from outside, its memory here. */
import { unzipSync, type UnzipFileInfo } from 'fflate';
import { MAX_BYTES } from '../table.ts';
import { MAX_FILES, MAX_UNPACKED_BYTES, type Unpacked } from './unpack.ts';
import { posting } from '../../../../kernel/base/apart/posting.ts';

const TABLE = /\.(?:csv|tsv|txt|xlsx|ics|xls|pdf)$/i;
/** Entries that programs add by themselves: folders, and files that nobody sees. */
const UNSEEN = /\/$|(?:^|\/)(?:__MACOSX\/|\.[^/]*$|Thumbs\.db$|desktop\.ini$)/i;

const nameOf = (path: string): string => path.split('/').at(-1)!.slice(-255);

function* read(given: Uint8Array): Generator<Unpacked> {
  const entries: UnzipFileInfo[] = [];
  try {
    unzipSync(given, { filter: (entry) => (entries.push(entry), false) });
  } catch {
    return yield { refused: 'The archive is damaged.' };
  }
  const seen = [...entries.entries()].filter(([, { name }]) => !UNSEEN.test(name));
  if (seen.length > MAX_FILES)
    return yield { refused: `The archive has ${seen.length} files. It can have ${MAX_FILES}.` };
  let unpacked = 0;
  for (const [place, { name: path, originalSize: size }] of seen) {
    const name = nameOf(path);
    if (!TABLE.test(name)) {
      yield { name, reason: 'It is no table: only CSV files, workbooks (.xlsx) and calendars (.ics) are imported.' };
      continue;
    }
    unpacked += size;
    if (size > MAX_BYTES || unpacked > MAX_UNPACKED_BYTES) {
      yield { name, reason: 'It is too large: upload it by itself, or split it into several files.' };
      continue;
    }
    try {
      // Nothing is unpacked beyond the size that the directory declares.
      let n = 0;
      yield { name, bytes: unzipSync(given, { filter: () => n++ === place })[path] };
    } catch {
      yield { name, reason: 'It is damaged, or protected by a password.' };
    }
  }
}

await posting(read);
