import { action, nothing, staffWith } from '../../../../kernel/api/endpoint.ts';
import { customerMembershipShared, membershipSharedWithFamilies } from './feed.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { membership } from '../../memberships/index.ts';
import { Problem } from '../../../../kernel/api/problem.ts';
import { startBulkAction, type BulkKind } from '../../../platform/bulk/index.ts';

/** Those who have ended meanwhile have nothing to share. */
export const shareEach: BulkKind = {
  type: 'share_with_families',
  many: async (work, ids) => {
    const { tx, providerId } = work;
    const mine = sql`provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) AND status IN ('active', 'hold') AND NOT shared_with_family`;
    const rows = await tx.rows<{ id: number; customer_id: number }>(
      sql`SELECT * FROM customer_membership WHERE ${mine} ORDER BY id FOR NO KEY UPDATE`,
    );
    await tx.run(
      sql`UPDATE customer_membership SET shared_with_family = true, updated_at = ${instant(work.now)} WHERE ${mine}`,
    );
    for (const row of rows) {
      work.touch('customer_membership', row.id, row as never);
      work.record(customerMembershipShared, row.id, {
        customer_membership: row.id,
        customer: row.customer_id,
        customers: [],
        family: true,
      });
    }
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
    if (!target.shared_with_families) {
      await tx.run(
        sql`UPDATE membership SET shared_with_families = true, updated_at = ${instant(work.now)} WHERE provider_id = ${providerId} AND id = ${target.id}`,
      );
      work.record(membershipSharedWithFamilies, target.id, { membership: target.id });
    }
    const rows = await tx.rows<{ id: number }>(sql`SELECT id FROM customer_membership
      WHERE provider_id = ${providerId} AND membership_id = ${target.id} AND status IN ('active', 'hold') AND NOT shared_with_family ORDER BY id`);
    work.effect('shared_with_families', 'membership', target.id, { customer_memberships: rows.length });
    if (rows.length > 0)
      await startBulkAction(
        work,
        shareEach,
        rows.map((row) => row.id),
      );
  },
});
