/**
 * Machine tokens: how a business's own programs call. Opaque, without dots, recognisable, stored as a hash only and shown
 * once. A checksum in the last six characters tells a mistyped token without asking the database.
 */
import { createHash, randomBytes } from 'node:crypto';
import { instant, sql } from '../../kernel/db/sql.ts';
import type { Authenticator, Grant } from '../../kernel/access/grant.ts';
import type { Database, Transaction } from '../../kernel/db/database.ts';

const PREFIX = 'rcm_';
const SECRET_LENGTH = 43;
const REMEMBERED_MS = 1000;
const KEPT = 10_000;
const LAST_USE_EVERY_MS = 60_000;

const checksum = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6);
const hashOf = (token: string): string => `\\x${createHash('sha256').update(token).digest('hex')}`;

export function isWellFormed(token: string): boolean {
  const body = token.slice(0, -6);
  return token.startsWith(PREFIX) && token.length === PREFIX.length + SECRET_LENGTH + 6 && checksum(body) === token.slice(-6);
}

/** Makes a token. The returned text is its only appearance. */
export async function createMachineToken(
  tx: Transaction,
  providerId: number,
  { name, expiresAt = null }: { name: string; expiresAt?: number | null },
): Promise<{ id: number; token: string }> {
  const body = PREFIX + randomBytes(32).toString('base64url');
  const token = body + checksum(body);
  const row = await tx.one<{ id: number }>(
    sql`INSERT INTO machine_token (provider_id, name, token_hash, token_hint, expires_at)
        VALUES (${providerId}, ${name}, ${hashOf(token)}, ${token.slice(0, 8)}, ${instant(expiresAt)}) RETURNING id`,
  );
  return { id: row!.id, token };
}

export async function revokeMachineToken(tx: Transaction, providerId: number, id: number): Promise<boolean> {
  return (await tx.run(sql`UPDATE machine_token SET revoked_at = now() WHERE provider_id = ${providerId} AND id = ${id} AND revoked_at IS NULL`)) > 0;
}

interface Known {
  readonly grant: Promise<Grant | null>;
  readonly until: number;
}

/** Tells what a machine token reaches. Remembered for a second, so a revoked one works no longer than that. */
export function machineTokens(db: Database, now: () => number): Authenticator {
  const known = new Map<string, Known>();
  const lastUse = new Map<string, number>();
  return async (token) => {
    if (!isWellFormed(token)) return null;
    const at = performance.now();
    let entry = known.get(token);
    if (!entry || entry.until <= at) {
      if (known.size >= KEPT) known.clear();
      entry = { grant: find(db, token, now()), until: at + REMEMBERED_MS };
      known.set(token, entry);
      entry.grant.catch(() => known.delete(token));
    }
    const grant = await entry.grant;
    if (grant) noteUse(db, grant, lastUse, now());
    return grant;
  };
}

async function find(db: Database, token: string, now: number): Promise<Grant | null> {
  const row = await db.acrossTenants('a machine token says which business it belongs to', (tx) =>
    tx.one<{ provider_id: number; id: number; expires_at: number | null }>(
      sql`SELECT provider_id, id, expires_at FROM machine_token WHERE token_hash = ${hashOf(token)} AND revoked_at IS NULL`,
    ),
  );
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return null;
  return {
    credential: `machine_token:${row.id}`,
    kind: 'machine',
    profiles: [{ mode: 'provider', providerId: row.provider_id, staffId: null, permissions: ['super_admin'], venues: null }],
  };
}

/** Once a minute is enough to see whether a token is in use, and costs nothing to the others. */
function noteUse(db: Database, grant: Grant, lastUse: Map<string, number>, now: number): void {
  if ((lastUse.get(grant.credential) ?? -Infinity) > now - LAST_USE_EVERY_MS) return;
  lastUse.set(grant.credential, now);
  const [{ providerId }] = grant.profiles;
  const id = Number(grant.credential.split(':')[1]);
  db.transaction(providerId, (tx) =>
    tx.run(sql`UPDATE machine_token SET last_used_at = ${instant(now)} WHERE provider_id = ${providerId} AND id = ${id}`),
  ).catch(() => lastUse.delete(grant.credential));
}
