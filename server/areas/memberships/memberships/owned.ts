/** What the memberships of customers want of what is sold: its row locked, and shared with families from now on. */
import { membershipSharedWithFamilies } from './feed.ts';
import { lockRows, updateRow } from '../../../kernel/db/row.ts';
import type { Work } from '../../../kernel/work.ts';

/**
 * By their ids, after what customers own of them: the number of their members is kept in them, and two who change
 * places would wait for each other.
 */
export async function lockMemberships(work: Work, ids: readonly number[]): Promise<void> {
  await lockRows(work, 'membership', ids);
}

/** Whoever buys it from now on shares it with their family. The row is locked. */
export async function shareFromNowOn(work: Work, membership: Record<string, any>): Promise<void> {
  if (membership.shared_with_families) return;
  await updateRow(work, 'membership', membership.id, { shared_with_families: true });
  work.record(membershipSharedWithFamilies, membership.id, { membership: membership.id });
}
