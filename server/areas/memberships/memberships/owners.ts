/** What a membership has to do with those who own it: how many they are, and whom they share it with from now on. */
import { lockRows, updateRow } from '../../../kernel/work/unit/row.ts';
import { membershipSharedWithFamilies } from './feed.ts';
import { raw, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** How many own membership `t` now, active or on hold. The table of what customers own keeps the number. */
export const activeMemberCount = (t: string): Sql => raw(`${t}.active_member_count`);

/** Whether anybody does. */
export const hasActiveMembers = (t: string): Sql => raw(`${t}.active_member_count > 0`);

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
