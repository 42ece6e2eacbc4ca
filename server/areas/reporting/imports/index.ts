import { beginImports } from './begin.ts';
import { changeImports } from './change.ts';
import { FEED } from './feed.ts';
import { showFirstRows } from './first-rows.ts';
import { findImports } from './find.ts';
import { importFile, importRow } from './import-file.ts';
import { importJob } from './job.ts';
import { inviteImported, inviteJob } from './invite.ts';
import { sweepImports } from './sweep.ts';
import { importReport } from './report.ts';
import { TABLES } from './tables.ts';
import { undoImport } from './undo/undo.ts';
import { uploadArchive } from './archives/archive.ts';
import { uploadImport } from './upload.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { KINDS as KIND_NAMES, type KindName } from './columns/index.ts';
export { importFiles, type FileState, type FilesImport } from './from-files.ts';

export const imports: Area = {
  name: 'imports',
  description:
    'Moving in: customers, memberships, the schedule, staff and bookings from files of other products, checked before anything is written.',
  tables: TABLES,
  resources: [importFile, importRow],
  endpoints: [
    ...findImports,
    importReport,
    uploadImport,
    showFirstRows,
    uploadArchive,
    ...changeImports,
    ...beginImports,
    ...inviteImported,
    undoImport,
  ],
  feed: FEED,
  jobs: [importJob, inviteJob],
  sweep: sweepImports,
};
