/** In which language a person reads what the business writes to them. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** `locale` as `fr` or `fr-CA`. Written only where it is another than before, and for nobody who is no customer. */
export function rememberLocale(
  tx: Transaction,
  { providerId, userId, locale }: { providerId: number; userId: number; locale: string },
): void {
  tx.later(sql`UPDATE customer SET locale = ${locale}
    WHERE provider_id = ${providerId} AND user_id = ${userId} AND deleted_at IS NULL AND locale IS DISTINCT FROM ${locale}`);
}
