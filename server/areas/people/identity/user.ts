/** The account of a person, which staff and customer profiles at any business refer to. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { canonicalAddress } from '../../../kernel/base/values/mail-address.ts';
import { emailKey } from './rules/email-key.ts';
import { normalPassword } from './rules/password.ts';
import { PasswordHasher } from '../../../kernel/base/passwords/password-hash.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const hasher = new PasswordHasher();

interface NewUser {
  email: string;
  password: string;
  firstName?: string;
  lastName?: string;
}

/**
 * Creates an account for somebody whom the operator vouches for: its address counts as confirmed. Needs a transaction
 * across tenants, because accounts belong to no business. Returns the account's id.
 */
export async function createUser(
  tx: Transaction,
  { email, password, firstName = '', lastName = '' }: NewUser,
): Promise<number> {
  const hash = await hasher.hash(normalPassword(password));
  const at = instant(Date.now());
  const row = await tx.one<{ id: number }>(
    sql`INSERT INTO user_account (email, email_key, password_hash, first_name, last_name, email_confirmed_at)
        VALUES (${canonicalAddress(email)}, ${emailKey(email)}, ${hash}, ${firstName}, ${lastName}, ${at})
        RETURNING id`,
  );
  return row!.id;
}
