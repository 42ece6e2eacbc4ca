/** Checking a file and importing it: the same job does both, and a check rolls back everything. */
import { action, one, staffWith, type Endpoint } from '../../../kernel/api/endpoint.ts';
import { forgetFates, NOTHING_DONE, refuseWhileBusy, refuseWithoutRows, type StoredImport } from './stored.ts';
import { importFile } from './import-file.ts';
import { importFeed } from './feed.ts';
import { missingIn } from './columns/index.ts';
import { portionsOf } from './job.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { startJob } from '../../platform/bulk/index.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Reports everything that is missing in one refusal. */
function refuseUnready({ kind, columns, dates_unclear: unclear }: StoredImport): void {
  const missing = missingIn(kind, new Set(columns.flatMap(({ property }) => property ?? [])));
  const against = [
    ...missing.map((one) => `No column is ${one.replaceAll(' | ', ' or ')}.`),
    ...(unclear ? ['Its dates can be read with the day or the month first: say which with date_format.'] : []),
  ];
  if (against.length > 0)
    throw new Problem(
      'conflict',
      `The file can't be imported yet. ${against.join(' ')} Change it with PATCH /imports/{id}.`,
    );
}

async function begin(work: Work, target: Record<string, any>, status: 'checking' | 'running'): Promise<number> {
  const before = target as StoredImport;
  refuseWithoutRows(before);
  await refuseWhileBusy(work, before);
  refuseUnready(before);
  const job = await startJob(work);
  work.touch('import', before.id, target);
  await updateRow(work, 'import', before.id, { ...NOTHING_DONE, status, job_id: job });
  await forgetFates(work, before.id);
  work.record(importFeed.begun, before.id, { import: before.id, job, dry_run: status === 'checking' });
  if (status === 'running') work.effect('rows_imported', 'import', before.id, { rows: before.row_count });
  work.enqueue(portionsOf(before.id, job));
  return before.id;
}

const asked = {
  who: staffWith('super_admin'),
  target: importFile,
  returns: one(importFile),
  problems: ['conflict'],
} as const;

const check = action({
  ...asked,
  path: '/imports/{id}/check',
  summary: 'Try an import',
  description:
    'A dry run of all rows by a job: `GET /imports/{id}/rows` says what would become of each. Nothing is imported. `done_count` says how far it is, and `POST /jobs/{id}/cancel` stops it.',
  run: ({ work, target }) => begin(work, target, 'checking'),
});

const run = action({
  ...asked,
  path: '/imports/{id}/run',
  summary: 'Import a file',
  description:
    'Imports all rows by a job, in portions: each of them is imported as a whole, and goes on where it was if the service is interrupted. A file that is imported again changes nothing. `POST /jobs/{id}/cancel` stops it after a portion; what was imported until then stays. Nobody gets a message.',
  run: ({ work, target }) => begin(work, target, 'running'),
});

export const beginImports: Endpoint[] = [check, run];
