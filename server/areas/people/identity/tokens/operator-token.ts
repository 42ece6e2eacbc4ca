/** Operator tokens, with which programs of the operator call. They reach operator endpoints, and no business's data. */
import { grantOf, type Authenticator } from '../../../../kernel/work/access/grant.ts';
import { hashOf, isWellFormed, makeSecret } from './opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lastUse } from '../log-in/last-use.ts';
import { BatchByKey } from '../../../../kernel/base/batch-by-key.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';

const PREFIX = 'rco_';

/** Creates an operator token. Needs a transaction across tenants. The returned text is shown only here. */
export async function createOperatorToken(
  tx: Transaction,
  { name, expiresAt = null }: { name: string; expiresAt?: number | null },
): Promise<{ id: number; token: string }> {
  const { secret, hash, hint } = makeSecret(PREFIX);
  const row = await tx.one<{ id: number }>(
    sql`INSERT INTO operator_token (name, token_hash, token_hint, expires_at) VALUES (${name}, ${hash}, ${hint}, ${instant(expiresAt)}) RETURNING id`,
  );
  return { id: row!.id, token: secret };
}

/** Revokes a token; returns false if it does not exist or had ended. */
export const revokeOperatorToken = async (tx: Transaction, id: number): Promise<boolean> =>
  (await tx.run(sql`UPDATE operator_token SET revoked_at = now() WHERE id = ${id} AND revoked_at IS NULL`)) > 0;

interface TokenRow {
  readonly id: number;
  readonly expires_at: number | null;
}

/** Authenticates operator tokens. */
export function operatorTokens(db: Database, now: () => number): Authenticator {
  const used = lastUse(now, (id, at) =>
    db.acrossTenants('the last use of an operator token is noted', (tx) =>
      tx.run(sql`UPDATE operator_token SET last_used_at = ${instant(at)} WHERE id = ${id}`),
    ),
  );
  // Lookups are combined, as for machine tokens.
  const found = new BatchByKey<string, TokenRow | null>(async (_, hashes) => {
    const rows = await db.readAcrossTenants<TokenRow & { hash: string }>(
      'an operator token belongs to no business',
      sql`SELECT token_hash::text AS hash, id, expires_at FROM operator_token WHERE token_hash = ANY(${hashes}::bytea[]) AND revoked_at IS NULL`,
    );
    return hashes.map((hash) => rows.find((row) => row.hash === hash) ?? null);
  });
  return async (token) => {
    if (!isWellFormed(PREFIX, token)) return null;
    const row = await found.call('', hashOf(token));
    if (!row) return null;
    const name = `operator_token:${row.id}`;
    return {
      grant: grantOf({ credential: name, kind: 'machine', profiles: [], operator: true }),
      subjects: [name],
      until: row.expires_at ?? Infinity,
      onUse: () => used(row.id),
    };
  };
}
