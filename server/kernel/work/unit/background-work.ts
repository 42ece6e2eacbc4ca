/** Work of the program itself for a business, outside of requests, and how every work ends that is not one. */
import { auditTouched } from './audit.ts';
import { ownViewer } from '../access/viewer.ts';
import { beginBackground } from '../jobs/background-lock.ts';
import { nowOf, Work } from './work.ts';
import type { EngineContext } from './engine.ts';
import type { Declarations } from './declarations.ts';

export type Own = Pick<EngineContext, 'db' | 'registry' | 'now'> & {
  readonly tenants: Pick<EngineContext['tenants'], 'of'>;
  readonly installation?: EngineContext['installation'];
};

/**
 * Writes what belongs to a change beside it, in its transaction: the entries of the audit under the name of `action`,
 * feed items, jobs.
 */
export async function endWork(work: Work, registry: Declarations, action: string): Promise<void> {
  await auditTouched(work, registry, action);
  for (const record of work.takeRecords()) work.tx.later(record);
}

/** One piece of it, in a transaction of its own. Undefined where there is no such business. */
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
      now: nowOf(tenant, now()),
      requestId: actor,
      installation,
    });
    const result = await act(work);
    await endWork(work, registry, actor);
    return result;
  });
}
