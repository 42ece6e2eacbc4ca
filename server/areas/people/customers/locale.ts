/** The language in which a person reads messages of the business. */
import { mailReaders, type MailReader } from '../identity/index.ts';
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

/** Customers who are emailed about their accounts. */
export const customerReaders = mailReaders.with({
  name: 'customer',
  description: 'Customers, whose ledger of messages lists emails about their accounts.',
  find: async ({ tx, providerId }, by) =>
    (await tx.one<MailReader>(
      sql`SELECT id, locale FROM customer WHERE provider_id = ${providerId} AND deleted_at IS NULL
        AND ${'id' in by ? sql`id = ${by.id}` : sql`user_id = ${by.user}`}`,
    )) ?? null,
});
