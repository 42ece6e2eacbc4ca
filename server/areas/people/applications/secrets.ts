/** The secrets of an application: its client secret, and the secondary secret for direct authentication. */
import { timingSafeEqual } from 'node:crypto';
import { hashOf, isWellFormed, makeSecret } from '../identity/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type SecretKind = 'client' | 'direct_auth';

const PREFIX: Record<SecretKind, string> = { client: 'rcs_', direct_auth: 'rcd_' };
/** Response property that shows the secret. */
export const PROPERTY = { client: 'client_secret', direct_auth: 'direct_auth_key' } as const;
const HOUR = 3_600_000;

export const newClientId = (): string => makeSecret('rca_').secret;

const live = (now: number) => sql`(expires_at IS NULL OR expires_at > ${instant(now)})`;

/**
 * Issues a new secret, which only this response shows. The previous one remains valid for `overlapHours`; older ones
 * end, so that at most two are valid. The caller has locked the application's row: concurrent rotations wait for each
 * other.
 */
export async function issueSecret(
  work: Work,
  applicationId: number,
  kind: SecretKind,
  overlapHours = 0,
): Promise<void> {
  const { secret, hash, hint } = makeSecret(PREFIX[kind]);
  const before = await liveHints(work, applicationId, kind);
  const of = sql`provider_id = ${work.providerId} AND application_id = ${applicationId} AND kind = ${kind}`;
  const until = instant(work.realNow + overlapHours * HOUR);
  await work.tx.all([
    sql`DELETE FROM application_secret WHERE ${of} AND (expires_at IS NOT NULL OR ${overlapHours}::int = 0)`,
    sql`UPDATE application_secret SET expires_at = ${until} WHERE ${of}`,
    sql`INSERT INTO application_secret (provider_id, application_id, kind, secret_hash, secret_hint, created_at)
        VALUES (${work.providerId}, ${applicationId}, ${kind}, ${hash}, ${hint}, ${instant(work.realNow)})`,
  ]);
  work.reveal({ [PROPERTY[kind]]: secret });
  tell(work, applicationId, kind, before, await liveHints(work, applicationId, kind));
}

/** Ends all secrets of the kind immediately. */
export async function endSecrets(work: Work, applicationId: number, kind: SecretKind): Promise<void> {
  const before = await liveHints(work, applicationId, kind);
  await work.tx.run(
    sql`DELETE FROM application_secret WHERE provider_id = ${work.providerId} AND application_id = ${applicationId}
      AND kind = ${kind}`,
  );
  tell(work, applicationId, kind, before, []);
}

/** Returns the first characters of each secret and its expiry: all that the audit may contain. */
async function liveHints(
  work: Work,
  applicationId: number,
  kind: SecretKind,
): Promise<{ begins_with: string; until: string | null }[]> {
  const rows = await work.tx.rows<{ secret_hint: string; expires_at: number | null }>(
    sql`SELECT secret_hint, expires_at FROM application_secret
        WHERE provider_id = ${work.providerId} AND application_id = ${applicationId} AND kind = ${kind}
          AND ${live(work.realNow)} ORDER BY id`,
  );
  return rows.map((row) => ({ begins_with: row.secret_hint, until: instant(row.expires_at) }));
}

function tell(work: Work, applicationId: number, kind: SecretKind, before: unknown[], after: unknown[]): void {
  if (before.length === 0 && after.length === 0) return;
  work.audit({
    action: `secrets of the kind ${kind}`,
    object: 'application',
    objectId: applicationId,
    before: { secrets: before },
    after: { secrets: after },
  });
}

/**
 * Returns true if the secret is one of the application's valid secrets of this kind; the comparison does not reveal how
 * much of it is right.
 */
export async function isSecretOf(
  tx: Transaction,
  kind: SecretKind,
  providerId: number,
  applicationId: number,
  secret: string,
  now: number,
): Promise<boolean> {
  const rows = await tx.rows<{ hash: string }>(
    sql`SELECT encode(secret_hash, 'hex') AS hash FROM application_secret
        WHERE provider_id = ${providerId} AND application_id = ${applicationId} AND kind = ${kind} AND ${live(now)}`,
  );
  const given = Buffer.from(hashOf(secret));
  return rows.reduce((found, { hash }) => timingSafeEqual(Buffer.from(`\\x${hash}`), given) || found, false);
}

export const isClientSecret = (
  tx: Transaction,
  providerId: number,
  applicationId: number,
  secret: string,
  now: number,
): Promise<boolean> => isSecretOf(tx, 'client', providerId, applicationId, secret, now);

export interface DirectAuthApplication {
  readonly providerId: number;
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly installationWide: boolean;
}

/**
 * Returns the application of a direct authentication key; null if the key is invalid. Needs a transaction across
 * tenants. The key is looked up by its hash: comparing hashes reveals nothing, because a secret can't be chosen by its
 * hash.
 */
export async function applicationOfKey(
  tx: Transaction,
  key: string,
  now: number,
): Promise<DirectAuthApplication | null> {
  if (!isWellFormed(PREFIX.direct_auth, key)) return null;
  const row = await tx.one<{
    provider_id: number;
    id: number;
    name: string;
    scopes: string[];
    installation_wide: boolean;
  }>(
    sql`SELECT a.provider_id, a.id, a.name, a.scopes, a.installation_wide FROM application_secret s
        JOIN application a ON a.provider_id = s.provider_id AND a.id = s.application_id
        WHERE s.secret_hash = ${hashOf(key)} AND s.kind = 'direct_auth' AND ${live(now)}
          AND a.deleted_at IS NULL AND a.direct_auth_status = 'approved'`,
  );
  return row
    ? {
        providerId: row.provider_id,
        id: row.id,
        name: row.name,
        scopes: row.scopes,
        installationWide: row.installation_wide,
      }
    : null;
}
