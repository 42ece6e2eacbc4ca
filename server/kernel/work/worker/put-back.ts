/** Jobs of a business that lives in another cell, or is about to, wait without using up an attempt. */
import { BusinessElsewhere } from '../../base/db/elsewhere.ts';
import { json, sql } from '../../base/db/sql.ts';
import { runJob } from './run-job.ts';
import type { EngineContext } from '../unit/engine.ts';
import type { Job } from '../unit/job.ts';
import type { Job as Queued } from 'graphile-worker';

/** A move ends soon, one way or the other; the rows of a moved business remain only until they are deleted. */
const LEAVING_S = 1;
const ELSEWHERE_S = 60;

export async function runOrPutBack(context: EngineContext, job: Job, queued: Queued): Promise<void> {
  try {
    await runJob(context, job, queued);
  } catch (error) {
    if (!(error instanceof BusinessElsewhere)) throw error;
    await putBack(context, queued, error.state === 'leaving' ? LEAVING_S : ELSEWHERE_S);
  }
}

/**
 * Enqueues the job again, under a key of its own, so that it is enqueued only once, even if the process ends before the
 * queue has recorded the end of this one.
 */
async function putBack({ db }: EngineContext, queued: Queued, seconds: number): Promise<void> {
  const { id, task_identifier: task, payload, key, job_queue_id: queue, priority } = queued;
  const urgency = queue === null ? 'first' : priority > 0 ? 'last' : 'usual';
  await db.acrossTenants('a job of a business that is elsewhere is put back', (tx) =>
    tx.run(
      sql`
        SELECT enqueue_job(${task}, ${json(payload)}::json, ${key ?? `elsewhere:${id}`},
          now() + make_interval(secs => ${seconds}), ${urgency})`,
    ),
  );
}
