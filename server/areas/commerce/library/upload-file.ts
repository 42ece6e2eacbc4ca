import { randomBytes } from 'node:crypto';
import { contentFile } from './content.ts';
import { contentFileFeed } from './feed.ts';
import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { fileOf } from './links.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { markBegun } from './sweep.ts';
import { mediaTypeIn } from './rules/media-type.ts';
import { text, upload } from '../../../kernel/base/fields/kinds.ts';

/** Files are in memory while they are served. Longer videos belong to a host that streams them. */
const MAX_BYTES = 32 * 1024 * 1024;

export const uploadFile = create(contentFile, {
  path: '/content_files',
  summary: 'Upload a file for the library',
  description: `Takes a PDF, MP4 or MP3 of at most ${MAX_BYTES / 1024 / 1024} MB, as \`multipart/form-data\` or as base64 in JSON. Nothing is converted: put longer videos on a host that streams them, and link to it. A file that no content uses for a week is deleted.`,
  who: staffWith('super_admin'),
  body: {
    name: text({ max: 200 }).describe('The name under which people save it, for example “Warm-up.pdf”.'),
    file: upload({ max: MAX_BYTES }).describe('The file, or its bytes as base64.'),
  },
  problems: ['unavailable'],
  run: async ({ work, body, dryRun }) => {
    const type = mediaTypeIn(body.file);
    if (type === null) throw invalid('file', 'Must be a PDF, an MP4 video or an MP3 recording.');
    const file = { provider: work.providerId, key: randomBytes(16).toString('base64url') };
    if (!dryRun) {
      await markBegun(work.installation.files, file);
      await work.installation.files.put(fileOf(file), body.file);
    }
    const id = await insertRow(work, 'content_file', {
      key: file.key,
      name: body.name,
      media_type: type,
      size: body.file.length,
    });
    work.record(contentFileFeed.created, id, { content_file: id });
    return id;
  },
});
