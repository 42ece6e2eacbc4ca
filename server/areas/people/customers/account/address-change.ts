import { customerFeed } from '../feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { recordAudit, recordItem, type AddressChange } from '../../../../kernel/work/unit/work.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/**
 * Changes the address of a person's records that have the earlier one of their account. A record keeps it if another
 * customer of the business has the new one.
 */
export async function changeRecordAddress(tx: Transaction, { userId, from, to, now }: AddressChange): Promise<void> {
  const changed = await tx.rows<{ provider: number; id: number }>(
    sql`UPDATE customer c SET email = ${to}, updated_at = ${instant(now)}
      WHERE c.user_id = ${userId} AND c.deleted_at IS NULL AND lower(c.email) = lower(${from}::text)
        AND NOT EXISTS (SELECT FROM customer o WHERE o.provider_id = c.provider_id AND o.id <> c.id
          AND lower(o.email) = lower(${to}::text) AND o.deleted_at IS NULL)
      RETURNING c.provider_id AS provider, c.id`,
  );
  const viewer = { actor: `user:${userId}`, userId, applicationId: null, mode: 'customer' } as const;
  for (const { provider: providerId, id } of changed) {
    await tx.run(
      recordAudit({ providerId, requestId: 'account', viewer }, now, {
        action: 'change_email',
        object: 'customer',
        objectId: id,
        before: { email: from },
        after: { email: to },
      }),
    );
    await tx.run(recordItem(providerId, now, customerFeed.updated, id, { customer: id, changed: ['email'] }));
  }
}
