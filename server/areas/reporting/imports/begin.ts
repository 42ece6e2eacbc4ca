/** Checking files and importing them: the same job does both, and a check rolls back everything. */
import { action, answer, one, staffWith, type Endpoint } from '../../../kernel/api/endpoint.ts';
import { forgetFates, NOTHING_DONE, refuseWhileBusy, refuseWithoutRows, type StoredImport } from './stored.ts';
import { importFile } from './import-file.ts';
import { importFeed } from './feed.ts';
import { missingIn } from './columns/index.ts';
import { portionsOf } from './job.ts';
import { openWords } from './words/questions.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { listOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startJob } from '../../platform/bulk/index.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns everything that a file lacks. */
export function missingFrom({
  kind,
  kind_confirmed: known,
  columns,
  words,
  dates_unclear: unclear,
  source,
  source_confirmed: confirmed,
}: StoredImport): string[] {
  const missing = missingIn(kind, new Set(columns.flatMap(({ property }) => property ?? [])));
  const asked = openWords(words);
  return [
    ...missing.map((one) => `No column is ${one.replaceAll(' | ', ' or ')}.`),
    ...(unclear ? ['Its dates can be read with the day or the month first: say which with date_format.'] : []),
    ...(known ? [] : ['Its rows may be of another kind: say which with kind.']),
    ...(confirmed ? [] : [`Confirm with source where its ids come from: "${source}", or "file".`]),
    ...(asked.length > 0
      ? [
          `${asked.length} of its words have no known meaning, such as "${asked[0].value}": say what they mean with answers.`,
        ]
      : []),
  ];
}

/** Reports everything that is missing in all files in one refusal. */
function refuseUnready(all: readonly StoredImport[]): void {
  const against = all.flatMap((file) => {
    const missing = missingFrom(file);
    if (missing.length === 0) return [];
    const name = all.length === 1 ? 'The file' : `The file ${file.file_name ?? file.id}`;
    return [`${name} can't be imported yet. ${missing.join(' ')}`];
  });
  if (against.length > 0) throw new Problem('conflict', `${against.join(' ')} Change it with PATCH /imports/{id}.`);
}

export type Doing = 'checking' | 'running';

/** Begins one job for all of these files. Returns its id. */
export async function begin(work: Work, all: readonly StoredImport[], status: Doing): Promise<number> {
  for (const file of all) {
    refuseWithoutRows(file);
    await refuseWhileBusy(work, file);
  }
  refuseUnready(all);
  const job = await startJob(work);
  for (const file of all) {
    work.touch('import', file.id, file as unknown as Record<string, unknown>);
    await updateRow(work, 'import', file.id, { ...NOTHING_DONE, status, job_id: job });
    await forgetFates(work, file.id);
    work.record(importFeed.begun, file.id, { import: file.id, job, dry_run: status === 'checking' });
    if (status === 'running') work.effect('rows_imported', 'import', file.id, { rows: file.row_count });
  }
  work.enqueue(portionsOf(job));
  return job;
}

/** Locks the files that are named, or all that are not imported yet. */
async function lockFiles({ tx, providerId }: Work, ids: readonly number[] | undefined): Promise<StoredImport[]> {
  const all = await tx.rows<StoredImport & Record<string, unknown>>(
    sql`SELECT * FROM import WHERE provider_id = ${providerId}
        AND ((${ids === undefined}::boolean AND status <> 'complete' AND rows_deleted_at IS NULL)
          OR id = ANY(${ids ?? []}::bigint[]))
      ORDER BY id FOR UPDATE`,
  );
  const unknown = ids?.findIndex((id) => all.every((file) => file.id !== id)) ?? -1;
  if (unknown >= 0) throw invalid(`imports.${unknown}`, `There is no import ${ids![unknown]}.`);
  if (all.length === 0) throw new Problem('conflict', 'There is no file to import. Upload one with POST /imports.');
  return all;
}

const asked = { who: staffWith('super_admin'), problems: ['conflict'] } as const;
const ofOne = { ...asked, target: importFile, returns: one(importFile) } as const;

const check = action({
  ...ofOne,
  path: '/imports/{id}/check',
  summary: 'Try an import',
  description:
    'A dry run of all rows by a job: `GET /imports/{id}/rows` says what would become of each. Nothing is imported. `done_count` says how far it is, and `POST /jobs/{id}/cancel` stops it.',
  run: async ({ work, target }) => {
    await begin(work, [target as StoredImport], 'checking');
    return target.id;
  },
});

const run = action({
  ...ofOne,
  path: '/imports/{id}/run',
  summary: 'Import a file',
  description:
    'Imports all rows by a job, in portions: each of them is imported as a whole, and goes on where it was if the service is interrupted. A file that is imported again changes nothing. `POST /jobs/{id}/cancel` stops it after a portion; what was imported until then stays. Nobody gets a message.',
  run: async ({ work, target }) => {
    await begin(work, [target as StoredImport], 'running');
    return target.id;
  },
});

const ofSeveral = {
  ...asked,
  body: {
    imports: listOf(ref('import'), { max: 100 })
      .optional()
      .describe('If left out: all files that are not imported yet and still have their rows.'),
  },
  returns: answer({ job: ref('job'), imports: listOf(ref('import')) }),
};

const several = async (work: Work, ids: readonly number[] | undefined, status: Doing) => {
  const all = await lockFiles(work, ids);
  return { job: await begin(work, all, status), imports: all.map(({ id }) => id) };
};

const checkAll = action({
  ...ofSeveral,
  path: '/imports/check',
  summary: 'Try several imports',
  description:
    'A dry run of several files by one job, in the order in which they depend on each other: customers before their memberships, for example. Rows find the customers and events of the other files, although nothing is imported. All questions about the files must be answered before.',
  run: ({ work, body }) => several(work, body.imports, 'checking'),
});

const runAll = action({
  ...ofSeveral,
  path: '/imports/run',
  summary: 'Import several files',
  description:
    'Imports several files by one job, in the order in which they depend on each other. If the service is interrupted, it goes on where it was. `POST /jobs/{id}/cancel` stops it after a portion; what was imported until then stays. Nobody gets a message.',
  run: ({ work, body }) => several(work, body.imports, 'running'),
});

export const beginImports: Endpoint[] = [check, run, checkAll, runAll];
