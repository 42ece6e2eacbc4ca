/** The owners of a membership: their number, and their families with whom it is shared from now on. */
import { lockRows, updateRow } from '../../../kernel/work/unit/row.ts';
import { membershipFeed } from './feed.ts';
import { raw, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Returns the number of customers who own membership `t` now, active or on hold. The table of customer memberships
 * maintains it.
 */
export const activeMemberCount = (t: string): Sql => raw(`${t}.active_member_count`);

/** Returns the condition that the number is not zero. */
export const hasActiveMembers = (t: string): Sql => raw(`${t}.active_member_count > 0`);

/**
 * Locks memberships by id, after the customer memberships: their rows have the number of members, and two opposite
 * upgrades would otherwise deadlock.
 */
export async function lockMemberships(work: Work, ids: readonly number[]): Promise<void> {
  await lockRows(work, 'membership', ids);
}

/** Shares the membership with the families of all later buyers. The row is locked. */
export async function shareFromNowOn(work: Work, membership: Record<string, any>): Promise<void> {
  if (membership.shared_with_families) return;
  await updateRow(work, 'membership', membership.id, { shared_with_families: true });
  work.record(membershipFeed.shared_with_families, membership.id, { membership: membership.id });
}
