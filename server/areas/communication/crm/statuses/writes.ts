/** Writes of a customer's status, for every cause, and of the definitions. */
import { lockCustomers, replaceCustomerStatus, setCustomerStatus } from '../../../people/customers/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { statusChangeFeed, type STATUS_CHANGED_BY } from './feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface StatusChange {
  readonly by: (typeof STATUS_CHANGED_BY)[number];
  /** the workflow run that caused it, directly or through a rule */
  readonly workflowRun?: number | null;
  /** only if the customer has one of these statuses; absent: whatever the status */
  readonly onlyFrom?: readonly number[];
}

/**
 * Sets the status; returns true if it changed. Only staff change a locked status. A deleted customer has no status,
 * which is not an error.
 */
export async function setStatus(
  work: Work,
  customerId: number,
  statusId: number | null,
  { by, workflowRun = null, onlyFrom }: StatusChange,
): Promise<boolean> {
  const { tx, providerId } = work;
  const [before] = await lockCustomers(work, [customerId]);
  if (
    !before ||
    before.deleted_at !== null ||
    before.status_id === statusId ||
    (before.is_status_locked && by !== 'staff')
  )
    return false;
  if (onlyFrom && onlyFrom.length > 0 && (before.status_id === null || !onlyFrom.includes(before.status_id)))
    return false;
  const slugs = await tx.rows<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM customer_status
      WHERE provider_id = ${providerId}
        AND id = ANY(${[before.status_id, statusId].filter((id) => id !== null)}::bigint[])`,
  );
  const slugOf = (id: number | null) => slugs.find((s) => s.id === id)?.slug ?? null;
  await setCustomerStatus(work, before, statusId);
  const change = {
    customer: customerId,
    from: slugOf(before.status_id),
    to: slugOf(statusId),
    by,
    workflow_run: workflowRun,
  };
  work.record(statusChangeFeed.changed, customerId, change);
  work.effect('status_changed', 'customer', customerId, { from: change.from, to: change.to });
  return true;
}

/** Returns true if rules and workflows must not change the customer's status. */
export async function isStatusLocked({ tx, providerId }: Work, customerId: number): Promise<boolean> {
  const row = await tx.one<{ is_status_locked: boolean }>(
    sql`SELECT is_status_locked FROM customer
      WHERE provider_id = ${providerId} AND id = ${customerId} AND deleted_at IS NULL`,
  );
  return row?.is_status_locked ?? false;
}

/**
 * Gives everyone with one status another one, locked or not, and records each change in the feed: in two statements,
 * however many there are.
 */
export async function moveAll(
  work: Work,
  from: { id: number; slug: string },
  to: { id: number; slug: string },
): Promise<number> {
  const moved = await replaceCustomerStatus(work, from.id, to.id);
  for (const id of moved)
    work.record(statusChangeFeed.changed, id, {
      customer: id,
      from: from.slug,
      to: to.slug,
      by: 'deletion',
      workflow_run: null,
    });
  if (moved.length > 0) {
    work.audit({
      action: 'replace customer status',
      object: 'customer_status',
      objectId: from.id,
      before: { customers: moved.length, status: from.slug },
      after: { customers: moved.length, status: to.slug },
    });
  }
  return moved.length;
}
