/** An account as its person sees it, and what its person may say of it without proving anything again. */
import { endTickets } from './tickets.ts';
import { noteUserEvent } from './events.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Whence } from './door.ts';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly emailConfirmedAt: number | null;
  readonly passwordChangedAt: number | null;
  /** it is on */
  readonly secondFactor: boolean;
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

const COLUMNS = sql`id, email, first_name AS "firstName", last_name AS "lastName", email_confirmed_at AS "emailConfirmedAt",
  password_changed_at AS "passwordChangedAt", totp_confirmed_at IS NOT NULL AS "secondFactor", disabled_at AS "disabledAt", created_at AS "createdAt"`;

export async function readAccount(tx: Transaction, userId: number): Promise<Account | null> {
  return (await tx.one<Account>(sql`SELECT ${COLUMNS} FROM user_account WHERE id = ${userId}`)) ?? null;
}

/** By the key of its address, see emailKey. */
export async function findAccount(tx: Transaction, key: string): Promise<Account | null> {
  return (await tx.one<Account>(sql`SELECT ${COLUMNS} FROM user_account WHERE email_key = ${key}`)) ?? null;
}

/** Each has at most 128 characters. What changes nothing is not noted. */
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

/** Ends everything that the account let in: sessions, log-ins under way, and what applications hold. */
export async function endAccess(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run(sql`UPDATE user_account SET access_ended_at = ${instant(now)} WHERE id = ${userId}`);
  await tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`);
  await endTickets(tx, userId, ['log_in_link', 'pending_log_in', 'verification_code'], now);
}

/**
 * The condition over an account `u` that what it let in at the moment `since` still counts; it did not, where an end
 * came after.
 */
export const stillLetIn = (since: Sql): Sql =>
  sql`u.disabled_at IS NULL AND coalesce(greatest(u.password_changed_at, u.access_ended_at), '-infinity') <= ${since}`;

/** Ends all access, for good, and every link that is under way; nobody gets in until it is enabled again. */
export async function disableAccount(tx: Transaction, userId: number, now: number): Promise<void> {
  await tx.run(sql`UPDATE user_account SET disabled_at = coalesce(disabled_at, ${instant(now)}) WHERE id = ${userId}`);
  await endAccess(tx, userId, now);
  await endTickets(tx, userId, ['confirm_email', 'reset_password', 'change_email'], now);
}

export async function enableAccount(tx: Transaction, userId: number): Promise<void> {
  await tx.run(sql`UPDATE user_account SET disabled_at = NULL WHERE id = ${userId}`);
}
