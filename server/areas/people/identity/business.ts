import { sql } from '../../../kernel/base/db/sql.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';

/** Reads the name of the business; empty if there is no business. */
export const readBusinessName = async (tx: Transaction, providerId: number): Promise<string> =>
  (await tx.one<{ name: string }>(sql`SELECT name FROM provider WHERE provider_id = ${providerId}`))?.name ?? '';

/** Returns the name of the business; empty if there is no business. */
export const businessName = async (db: Database, providerId: number | null): Promise<string> =>
  providerId === null ? '' : db.transaction(providerId, (tx) => readBusinessName(tx, providerId));
