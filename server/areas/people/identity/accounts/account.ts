/** An account, as its owner sees it, with the properties that the owner may change without proving anything again. */
import { endTickets } from '../tokens/tickets.ts';
import { noteUserEvent } from './events.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Whence } from '../door.ts';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly emailConfirmedAt: number | null;
  readonly passwordChangedAt: number | null;
  /** it is turned on */
  readonly secondFactor: boolean;
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

const COLUMNS = sql`id, email, first_name AS "firstName", last_name AS "lastName", email_confirmed_at AS "emailConfirmedAt",
  password_changed_at AS "passwordChangedAt", totp_confirmed_at IS NOT NULL AS "secondFactor", disabled_at AS "disabledAt", created_at AS "createdAt"`;

export async function readAccount(tx: Transaction, userId: number): Promise<Account | null> {
  return (await tx.one<Account>(sql`SELECT ${COLUMNS} FROM user_account WHERE id = ${userId}`)) ?? null;
}

/** Finds an account by the key of its address, see emailKey. */
export async function findAccount(tx: Transaction, key: string): Promise<Account | null> {
  return (await tx.one<Account>(sql`SELECT ${COLUMNS} FROM user_account WHERE email_key = ${key}`)) ?? null;
}

/** Changes the name. Each part has at most 128 characters. Nothing is recorded if nothing changes. */
export async function changeName(
  tx: Transaction,
  userId: number,
  { firstName, lastName }: { firstName: string; lastName: string },
  whence: Whence,
  now: number,
): Promise<void> {
  const changed = await tx.run(
    sql`UPDATE user_account SET first_name = ${firstName}, last_name = ${lastName}
        WHERE id = ${userId} AND (first_name, last_name) IS DISTINCT FROM (${firstName}, ${lastName})`,
  );
  if (changed > 0) await noteUserEvent(tx, userId, 'name_changed', whence, now);
}

/** Ends all access through the account: sessions, pending log-ins, and tokens of applications. */
export async function endAccess(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run(sql`UPDATE user_account SET access_ended_at = ${instant(now)} WHERE id = ${userId}`);
  await tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`);
  await endTickets(tx, userId, ['log_in_link', 'pending_log_in', 'verification_code'], now);
}

/**
 * Returns a condition over an account `u`: access that was granted at the moment `since` is still valid, because no end
 * came after it.
 */
export const stillLetIn = (since: Sql): Sql =>
  sql`u.disabled_at IS NULL AND coalesce(greatest(u.password_changed_at, u.access_ended_at), '-infinity') <= ${since}`;

/** Ends all access, and every pending link; nobody gets in until the account is enabled again. */
export async function disableAccount(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run(sql`UPDATE user_account SET disabled_at = coalesce(disabled_at, ${instant(now)}) WHERE id = ${userId}`);
  await endAccess(tx, userId, now);
  await endTickets(tx, userId, ['confirm_email', 'reset_password', 'change_email'], now);
}

export async function enableAccount(tx: Transaction, userId: number): Promise<void> {
  await tx.run(sql`UPDATE user_account SET disabled_at = NULL WHERE id = ${userId}`);
}
