/** Runs a job: its effect and its done mark commit together, so that a job that runs twice acts once. */
import { BusinessElsewhere } from '../../base/db/elsewhere.ts';
import { beginBackground } from '../jobs/background-lock.ts';
import { endWork } from '../unit/background-work.ts';
import { businessTime, Work } from '../unit/work.ts';
import { ownViewer } from '../access/viewer.ts';
import { sql } from '../../base/db/sql.ts';
import type { EngineContext } from '../unit/engine.ts';
import type { Job } from '../unit/job.ts';
import type { Transaction } from '../../base/db/database.ts';

export async function runJob(
  { db, registry, tenants, installation, metrics, now }: EngineContext,
  job: Job,
  { id, payload }: { readonly id: string; readonly payload: unknown },
): Promise<void> {
  const { provider_id: providerId, ...rest } = payload as { provider_id: number };
  const tenant = await tenants.of(providerId);
  if (!tenant) return;
  try {
    const act = async (tx: Transaction) => {
      beginBackground(tx, [providerId]);
      const first = await tx.run(
        sql`INSERT INTO job_effect (provider_id, job_key) VALUES (${providerId}, ${`${job.task}:${id}`}) ON CONFLICT
          DO NOTHING`,
      );
      if (first === 0) return;
      const work = new Work({
        tx,
        registry,
        tenant,
        viewer: ownViewer(providerId, `job:${job.task}`),
        now: businessTime(tenant, now()),
        requestId: `job-${id}`,
        installation,
      });
      await job.run(work, rest);
      await endWork(work, registry, `job ${job.task}`);
    };
    await (job.acrossTenants === undefined
      ? db.transaction(providerId, act)
      : db.acrossTenants(job.acrossTenants, act));
    metrics.job(job.task, 'done');
  } catch (error) {
    if (!(error instanceof BusinessElsewhere)) metrics.job(job.task, 'failed');
    throw error;
  }
}
