/** The claims about a person that an application may see, by scope. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

interface PersonClaims {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** epoch seconds */
  readonly updated_at?: number;
}

interface Row {
  email: string;
  confirmed: boolean;
  first_name: string;
  last_name: string;
  profile_changed_at: number;
}

/** Returns the claims; null if the account does not exist or is disabled. Empty names are left out. */
export async function loadClaims(
  tx: Transaction,
  userId: number,
  scopes: readonly string[],
): Promise<PersonClaims | null> {
  const row = await tx.one<Row>(
    sql`SELECT email, email_confirmed_at IS NOT NULL AS confirmed, first_name, last_name, profile_changed_at
      FROM user_account WHERE id = ${userId} AND disabled_at IS NULL`,
  );
  if (!row) return null;
  const { first_name: firstName, last_name: lastName } = row;
  return {
    sub: String(userId),
    ...(scopes.includes('email') && { email: row.email, email_verified: row.confirmed }),
    ...(scopes.includes('profile') && {
      ...((firstName || lastName) && { name: [firstName, lastName].filter(Boolean).join(' ') }),
      ...(firstName && { given_name: firstName }),
      ...(lastName && { family_name: lastName }),
      updated_at: Math.floor(row.profile_changed_at / 1000),
    }),
  };
}
