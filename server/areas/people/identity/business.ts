import { sql } from '../../../kernel/base/db/sql.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';

/** What the business calls itself; empty where there is none. */
export const readBusinessName = async (tx: Transaction, providerId: number): Promise<string> =>
  (await tx.one<{ name: string }>(sql`SELECT name FROM provider WHERE provider_id = ${providerId}`))?.name ?? '';

/** Empty for none. */
export const businessName = async (db: Database, providerId: number | null): Promise<string> =>
  providerId === null ? '' : db.transaction(providerId, (tx) => readBusinessName(tx, providerId));
