/** The business on whose behalf emails are sent to a person who is at none: emails and links always belong to one. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Whence } from '../door.ts';

/**
 * Returns the business on whose behalf the person is emailed: where they work, are a customer, or were last. Null if
 * there is none.
 */
export async function speakerFor(tx: Transaction, userId: number): Promise<number | null> {
  const [at] = await tx.rows<{ provider_id: number }>(
    sql`SELECT provider_id FROM (
          SELECT provider_id, CASE WHEN gone THEN 3 WHEN kind = 'staff' THEN 1 ELSE 2 END AS rank, 0 AS event FROM profile x WHERE user_id = ${userId}
          UNION ALL SELECT provider_id, 4, id FROM user_event WHERE user_id = ${userId} AND provider_id IS NOT NULL) y
        ORDER BY rank, event DESC, provider_id LIMIT 1`,
  );
  return at?.provider_id ?? null;
}

/** Returns some business of the installation, always the same one; null if there is none. */
export async function anyBusiness(tx: Transaction): Promise<number | null> {
  const first = await tx.one<{ id: number | null }>(sql`SELECT min(provider_id) AS id FROM provider`);
  return first?.id ?? null;
}

/**
 * Returns the business where the person is, otherwise the one on whose behalf they are emailed. Null if the
 * installation has no business.
 */
export const speakerAt = async (tx: Transaction, userId: number, { providerId }: Whence): Promise<number | null> =>
  providerId ?? (await speakerFor(tx, userId)) ?? (await anyBusiness(tx));
