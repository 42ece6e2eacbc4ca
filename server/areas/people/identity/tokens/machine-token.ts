/** Machine tokens: a business's own programs use them to call in provider mode with every permission. */
import { grantOf, type Authenticator } from '../../../../kernel/work/access/grant.ts';
import { hashOf, isWellFormed, makeSecret } from './opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lastUse } from '../log-in/last-use.ts';
import { BatchByKey } from '../../../../kernel/base/batch-by-key.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';

const PREFIX = 'rcm_';

interface NewMachineToken {
  name: string;
  /** epoch milliseconds; null: valid until it is revoked */
  expiresAt?: number | null;
}

/** Creates a token of the business. The returned text is shown only here. */
export async function createMachineToken(
  tx: Transaction,
  providerId: number,
  { name, expiresAt = null }: NewMachineToken,
): Promise<{ id: number; token: string }> {
  const { secret, hash, hint } = makeSecret(PREFIX);
  const row = await tx.one<{ id: number }>(
    sql`INSERT INTO machine_token (provider_id, name, token_hash, token_hint, expires_at)
        VALUES (${providerId}, ${name}, ${hash}, ${hint}, ${instant(expiresAt)}) RETURNING id`,
  );
  return { id: row!.id, token: secret };
}

/** Returns the id and name of a credential's token; undefined if it is no valid token. */
export async function machineTokenOf(
  tx: Transaction,
  credential: string,
): Promise<{ id: number; name: string } | undefined> {
  const id = /^machine_token:(\d+)$/.exec(credential)?.[1];
  return id === undefined
    ? undefined
    : tx.one<{ id: number; name: string }>(
        sql`SELECT id, name FROM machine_token WHERE id = ${Number(id)} AND revoked_at IS NULL`,
      );
}

/** Revokes a token for good, from the next request on, in every process; returns false if it had ended. */
export async function revokeMachineToken(
  tx: Transaction,
  providerId: number,
  id: number,
  at = Date.now(),
): Promise<boolean> {
  return (
    (await tx.run(
      sql`UPDATE machine_token SET revoked_at = ${instant(at)}
        WHERE provider_id = ${providerId} AND id = ${id} AND revoked_at IS NULL`,
    )) > 0
  );
}

interface TokenRow {
  readonly provider_id: number;
  readonly id: number;
  readonly expires_at: number | null;
}

/** Authenticates machine tokens, and determines what they reach. */
export function machineTokens(db: Database, now: () => number): Authenticator {
  const used = lastUse(now, (id, at) =>
    db.acrossTenants('the last use of a machine token of any business is noted', (tx) =>
      tx.run(sql`UPDATE machine_token SET last_used_at = ${instant(at)} WHERE id = ${id}`),
    ),
  );
  // Lookups of unknown tokens are combined: however many arrive, they occupy one connection.
  const found = new BatchByKey<string, TokenRow | null>(async (_, hashes) => {
    const rows = await db.readAcrossTenants<TokenRow & { hash: string }>(
      'a machine token says which business it belongs to',
      sql`SELECT token_hash::text AS hash, provider_id, id, expires_at FROM machine_token
        WHERE token_hash = ANY(${hashes}::bytea[]) AND revoked_at IS NULL`,
    );
    return hashes.map((hash) => rows.find((row) => row.hash === hash) ?? null);
  });
  return async (token) => {
    if (!isWellFormed(PREFIX, token)) return null;
    const row = await found.call('', hashOf(token));
    if (!row) return null;
    const name = `machine_token:${row.id}`;
    return {
      grant: grantOf({
        credential: name,
        kind: 'machine',
        profiles: [
          { mode: 'provider', providerId: row.provider_id, staffId: null, permissions: ['super_admin'], venues: null },
        ],
      }),
      subjects: [name],
      until: row.expires_at ?? Infinity,
      onUse: () => used(row.id),
    };
  };
}
