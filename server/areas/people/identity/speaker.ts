/** In whose name mail is sent to a person who is at no business: mails and links are always of one. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Whence } from './door.ts';

/** The business in whose name mail is sent to the person: where it works, is a customer, or was last. Null: at none. */
export async function speakerFor(tx: Transaction, userId: number): Promise<number | null> {
  const [at] = await tx.rows<{ provider_id: number }>(
    sql`SELECT provider_id FROM (
          SELECT provider_id, CASE WHEN gone THEN 3 WHEN kind = 'staff' THEN 1 ELSE 2 END AS rank, 0 AS event FROM profile x WHERE user_id = ${userId}
          UNION ALL SELECT provider_id, 4, id FROM user_event WHERE user_id = ${userId} AND provider_id IS NOT NULL) y
        ORDER BY rank, event DESC, provider_id LIMIT 1`,
  );
  return at?.provider_id ?? null;
}

/** Any business of the installation, always the same one; null: there is none. */
export async function anyBusiness(tx: Transaction): Promise<number | null> {
  const first = await tx.one<{ id: number | null }>(sql`SELECT min(provider_id) AS id FROM provider`);
  return first?.id ?? null;
}

/** The business where the person is, else the one that speaks to them. Null: the installation has no business. */
export const speakerAt = async (tx: Transaction, userId: number, { providerId }: Whence): Promise<number | null> =>
  providerId ?? (await speakerFor(tx, userId)) ?? (await anyBusiness(tx));
