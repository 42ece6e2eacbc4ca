/** The language in which a person reads messages of the business. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Stores the language. `locale` is for example `fr` or `fr-CA`. Written only if it differs, and only for customers. */
export function rememberLocale(
  tx: Transaction,
  { providerId, userId, locale }: { providerId: number; userId: number; locale: string },
): void {
  tx.later(sql`UPDATE customer SET locale = ${locale}
    WHERE provider_id = ${providerId} AND user_id = ${userId} AND deleted_at IS NULL
      AND locale IS DISTINCT FROM ${locale}`);
}
