import { action, nothing, staffWith } from '../../../../kernel/api/endpoint.ts';
import { changeAllOwned, item, lockAllOwned } from '../owned.ts';
import { membershipSharingFeed } from './feed.ts';
import { goesOn } from '../rules/status.ts';
import { membership, shareFromNowOn } from '../../memberships/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startBulkAction, type BulkKind } from '../../../platform/bulk/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Shares the memberships; those that have ended in the meantime are skipped. */
export async function shareAll(work: Work, ids: readonly number[]): Promise<void> {
  const alone = (await lockAllOwned(work, ids)).filter((owned) => goesOn(owned) && !owned.shared_with_family);
  await changeAllOwned(
    work,
    alone.map((owned) => ({
      owned,
      to: { shared_with_family: true },
      items: [item(membershipSharingFeed.shared, { customers: [], family: true })],
    })),
  );
}

export const shareEach: BulkKind = {
  type: 'share_with_families',
  many: async (work, ids) => {
    await shareAll(work, ids);
    return new Map();
  },
};

export const shareWithFamilies = action({
  path: '/memberships/{id}/share_with_families',
  summary: "Share a membership with its holders' families",
  description:
    'This includes people who buy it later. A job shares the memberships that are held now, each with its own result. The membership must be `shareable`. Once it no longer is, people who buy it from then on do not share it.',
  who: staffWith('super_admin'),
  target: membership,
  returns: nothing,
  problems: ['conflict'],
  run: async ({ work, target }) => {
    if (!target.shareable) throw new Problem('conflict', 'The membership is not shareable. Change that first.');
    const { tx, providerId } = work;
    await shareFromNowOn(work, target);
    const rows = await tx.rows<{ id: number }>(sql`SELECT id FROM customer_membership
      WHERE provider_id = ${providerId} AND membership_id = ${target.id} AND status IN ('active', 'hold')
        AND NOT shared_with_family ORDER BY id`);
    if (!target.shared_with_families || rows.length > 0)
      work.effect('shared_with_families', 'membership', target.id, { customer_memberships: rows.length });
    if (rows.length > 0)
      await startBulkAction(
        work,
        shareEach,
        rows.map((row) => row.id),
      );
  },
});
