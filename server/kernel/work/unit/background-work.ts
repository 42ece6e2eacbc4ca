/** The program's own work for a business, outside requests, and the end of every work that is not a request's. */
import { auditTouched } from './audit.ts';
import { ownViewer } from '../access/viewer.ts';
import { beginBackground } from '../jobs/background-lock.ts';
import { businessTime, Work, type Declarations } from './work.ts';
import type { EngineContext } from './engine.ts';

export type Own = Pick<EngineContext, 'db' | 'registry' | 'now'> & {
  readonly tenants: Pick<EngineContext['tenants'], 'of'>;
  readonly installation?: EngineContext['installation'];
};

/**
 * Stores the records of a change in its transaction: the audit entries under the name of `action`, feed items, jobs.
 */
export async function endWork(work: Work, registry: Declarations, action: string): Promise<void> {
  await auditTouched(work, registry, action);
  for (const record of work.takeRecords()) work.tx.later(record);
}

/** Runs one piece of work in a transaction of its own. Returns undefined if the business does not exist. */
export async function backgroundWork<T>(
  { db, tenants, registry, installation, now }: Own,
  providerId: number,
  actor: string,
  act: (work: Work) => Promise<T>,
): Promise<T | undefined> {
  const tenant = await tenants.of(providerId);
  if (!tenant) return undefined;
  return db.transaction(providerId, async (tx) => {
    beginBackground(tx, [providerId]);
    const work = new Work({
      tx,
      registry,
      tenant,
      viewer: ownViewer(providerId, actor),
      now: businessTime(tenant, now()),
      requestId: actor,
      installation,
    });
    const result = await act(work);
    await endWork(work, registry, actor);
    return result;
  });
}
