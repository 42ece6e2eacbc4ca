/** Jobs of later areas: each was requested by one person, and its area reports its progress. */
import { action, one, STAFF } from '../../../kernel/api/endpoint.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { job, type JOB_STATUSES } from './bulk-action.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Starts a job for the caller, who alone sees it. Returns its id. */
export async function startJob(work: Work): Promise<number> {
  const { tx, providerId, viewer, now } = work;
  const made = await tx.one<{ id: number }>(
    sql`INSERT INTO job (provider_id, total_items, state, asked_by, created_at)
        VALUES (${providerId}, 0, 'pending', ${viewer.actor}, ${instant(now)}) RETURNING id`,
  );
  work.touch('job', made!.id, null);
  return made!.id;
}

export interface Progress {
  readonly state: (typeof JOB_STATUSES)[number];
  readonly total?: number;
  readonly complete?: number;
  /** path relative to the address of the interface; null if there is no result */
  readonly resultPath?: string | null;
}

/** Reports the progress of a job. Returns false if it was cancelled or has ended, so the caller should stop. */
export async function progressJob(
  { tx, providerId }: { readonly tx: Transaction; readonly providerId: number },
  id: number,
  { state, total, complete, resultPath }: Progress,
): Promise<boolean> {
  const changed = await tx.run(sql`UPDATE job SET state = ${state}, total_items = coalesce(${total}::int, total_items),
      complete_items = coalesce(${complete}::int, complete_items),
      result_path = CASE WHEN ${resultPath !== undefined}::boolean THEN ${resultPath ?? null}::text ELSE result_path END
    WHERE provider_id = ${providerId} AND id = ${id}
      AND (state IN ('pending', 'running') OR (state = 'complete' AND ${state === 'expired'}::boolean))`);
  return changed > 0;
}

export const cancelJob = action({
  path: '/jobs/{id}/cancel',
  summary: 'Cancel a job',
  description:
    'Stops an export or an import that has not finished. What an export prepared is deleted, and what an import brought until then stays. Bulk actions can’t be stopped: each part of them is done for good.',
  who: STAFF,
  target: job,
  returns: one(job),
  silent: 'it ends what the same person asked for, and changes nothing else',
  run: async (call) => {
    const { work, target } = call;
    if (target.state === null)
      throw new Problem('conflict', 'A bulk action can’t be stopped: its completed parts are final.');
    work.touch('job', target.id, target);
    if (!(await progressJob(work, target.id, { state: 'cancelled' })))
      throw new Problem('conflict', `The job is over already: its status is ${target.state}.`);
    return target.id;
  },
});
