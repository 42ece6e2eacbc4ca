/** A ZIP archive with several files, each of which becomes an import. */
import { action, answer, staffWith } from '../../../../kernel/api/endpoint.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { listOf, object, ref, text, upload } from '../../../../kernel/base/fields/kinds.ts';
import { recognise, type Recognised } from '../recognise.ts';
import { MAX_BYTES } from '../table.ts';
import { MAX_FILES, unpack, type LeftOut } from './unpack.ts';
import { languageOf, reasonIn } from '../reasons.ts';
import type { BusinessClock } from '../../../../kernel/api/acting.ts';
import type { Whose } from '../../../../kernel/base/apart/one-at-a-time.ts';
import { storeFile } from '../upload.ts';

interface Found {
  readonly files: { readonly name: string; readonly read: Recognised }[];
  readonly leftOut: LeftOut[];
}

/** Recognised files by the uploaded buffer, before the transaction opens. */
const unpacked = new WeakMap<Buffer, Found>();

/** Reads the files of an archive. @throws Problem */
async function readArchive(bytes: Buffer, whose: Whose, clock: BusinessClock): Promise<Found> {
  const found: Found = { files: [], leftOut: [] };
  await unpack(bytes, whose, async (entry) => {
    if ('reason' in entry) found.leftOut.push(entry);
    else await recogniseOne(found, entry, { whose, clock });
  });
  return found;
}

async function recogniseOne(
  { files, leftOut }: Found,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { whose, clock }: { readonly whose: Whose; readonly clock: BusinessClock },
): Promise<void> {
  try {
    files.push({ name, read: await recognise(Buffer.from(bytes), { kind: null }, whose, clock) });
  } catch (error) {
    const reason = error instanceof Problem ? error.fields.file?.join(' ') : undefined;
    if (reason === undefined) throw error;
    leftOut.push({ name, reason });
  }
}

export const uploadArchive = action({
  path: '/imports/archive',
  summary: 'Upload several files to move in',
  description: `Takes a ZIP archive of at most ${MAX_BYTES / 1024 / 1024} MB with at most ${MAX_FILES} files, as \`multipart/form-data\` or as base64 in JSON. Each file that is a table becomes an import, as with \`POST /imports\`. Files that are none are listed with the reason.`,
  who: staffWith('super_admin'),
  body: {
    file: upload({ max: MAX_BYTES }).describe('The archive, or its bytes as base64.'),
    source: text({ max: 50 })
      .optional()
      .describe('Source of the ids in all files. If left out: the product that wrote a file, or else `file`.'),
  },
  returns: answer({
    imports: listOf(ref('import')),
    left_out: listOf(object({ file_name: text({ blank: true }), reason: text() })).describe(
      'Files of the archive that are not imported.',
    ),
  }),
  problems: ['unavailable'],
  ahead: async (body, _, whose, clock) => {
    if (!body.file!.subarray(0, 2).equals(Buffer.from('PK'))) throw invalid('file', 'The file is no ZIP archive.');
    unpacked.set(body.file!, await readArchive(body.file!, whose, clock));
  },
  run: async ({ work, body, accepts }) => {
    const { files, leftOut } = unpacked.get(body.file)!;
    const language = languageOf(accepts);
    const imports: number[] = [];
    for (const { name, read } of files)
      imports.push(await storeFile(work, { read, fileName: name, source: body.source }));
    return {
      imports,
      left_out: leftOut.map(({ name, reason }) => ({ file_name: name, reason: reasonIn(language, reason) })),
    };
  },
});
