/**
 * Determines what an access token reaches: first by its signature, then by the authorization that it names in the
 * database.
 */
import { decodeProtectedHeader, importJWK, jwtVerify, type CryptoKey } from 'jose';
import { ALGORITHM, publishedKeys } from '../keys/signing-keys.ts';
import { audienceOf, entranceFor, ENTRANCES, splitScopes, type TokenMode } from './tokens.ts';
import { authorizationsElsewhere } from '../elsewhere.ts';
import { UNLIMITED, withinLimits, type AssistantLimits } from '../rules/assistant-limits.ts';
import { exchangeKeys } from '../keys/shared-keys.ts';
import { readAuthorization, type AuthorizationRow } from './authorization.ts';
import {
  grantOf,
  type Authenticator,
  type Entrance,
  type Found,
  type Profile,
} from '../../../../kernel/work/access/grant.ts';
import { BatchByKey } from '../../../../kernel/base/batch-by-key.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lastUse } from '../../identity/index.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';
import type { Permission } from '../../../../kernel/work/access/permission.ts';

interface AccessTokenOptions {
  readonly db: Database;
  readonly issuer: Pick<Installation, 'baseUrl' | 'cells'>;
  readonly now: () => number;
}

interface Claims {
  readonly kid: string;
  readonly authorization: number;
  readonly sub: string;
  readonly client_id: string;
  readonly scope: string;
  readonly mode: TokenMode | null;
  /** the only part of the service that accepts it */
  readonly entrance: Entrance;
  /** cell that issued it, if the installation has several */
  readonly cell: number | null;
  /** epoch milliseconds */
  readonly until: number;
}

const THREE_SEGMENTS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_LENGTH = 4000;
/**
 * Minimum time between key exchanges in milliseconds: invented key names don't make cells ask each other more often.
 */
const EXCHANGED_EVERY_MS = 1000;

/**
 * Authenticates access tokens. Refuses id tokens, tokens of another issuer or for another audience, and tokens that
 * aren't signed with one of our keys.
 */
export function accessTokens({ db, issuer, now }: AccessTokenOptions): Authenticator {
  const { cells } = issuer;
  const imported = new Map<string, CryptoKey>();
  let exchangedAt = -Infinity;
  const read = () =>
    db.acrossTenants('the keys of the installation belong to no business', (tx) => publishedKeys(tx, now()));
  // Lookups of unknown key names are combined: however many arrive, they occupy one connection.
  const ours = new BatchByKey<string, boolean>(async (_, kids) => {
    let published = await read();
    const isKnown = (kid: string): boolean => published.some((k) => k.kid === kid);
    if (cells !== null && !kids.every(isKnown) && performance.now() - exchangedAt > EXCHANGED_EVERY_MS) {
      exchangedAt = performance.now();
      await db.acrossTenants('the keys of the installation belong to no business', (tx) =>
        exchangeKeys(tx, cells, now()),
      );
      published = await read();
    }
    return kids.map(isKnown);
  });
  const keyOf = async (tx: Transaction, kid: string): Promise<CryptoKey | null> => {
    // Read for each token check; each token is checked only once while nothing changes.
    const published = (await publishedKeys(tx, now())).find((k) => k.kid === kid);
    if (!published) return null;
    const key = imported.get(kid) ?? ((await importJWK(published.publicJwk, ALGORITHM)) as CryptoKey);
    if (imported.size > 20) imported.clear();
    imported.set(kid, key);
    return key;
  };
  const used = lastUse(now, (id, at) =>
    db.acrossTenants('the last use of an assistant of any business is noted', (tx) =>
      tx.run(sql`UPDATE app_authorization SET last_used_at = ${instant(at)} WHERE id = ${id}`),
    ),
  );
  return async (token) => {
    if (token.length > MAX_LENGTH || !THREE_SEGMENTS.test(token)) return null;
    const kid = keyIdOf(token);
    if (kid === null) return null;
    const known = imported.get(kid);
    // Once its key is cached, a forged signature is detected without the database.
    if (known ? !(await verified(token, kid, known, issuer, now())) : !(await ours.call('', kid))) return null;
    const looked = await db.lookingAcross('an access token names the authorization that it belongs to', async (tx) => {
      const key = await keyOf(tx, kid);
      const claims = key && (await verified(token, kid, key, issuer, now()));
      if (!claims) return null;
      const row = await readAuthorization(tx, claims, now());
      const found = row && (await foundOf(tx, claims, row));
      const isAssistant = found && claims.entrance !== 'interface';
      return { claims, found: isAssistant ? { ...found, onUse: () => used(claims.authorization) } : found };
    });
    if (!looked || looked.found || cells === null) return looked?.found ?? null;
    const { claims } = looked;
    const row = await cells.at(authorizationsElsewhere).find({ db, now, cells }, claims.cell, claims);
    if (!row) return null;
    const found = await db.lookingAcross('an access token names the authorization that it belongs to', (tx) =>
      foundOf(tx, claims, row),
    );
    return { ...found, once: true };
  };
}

function keyIdOf(token: string): string | null {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === ALGORITHM && typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}

async function verified(
  token: string,
  kid: string,
  key: CryptoKey,
  issuer: { readonly baseUrl: string },
  now: number,
): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: 'at+jwt',
      issuer: issuer.baseUrl,
      audience: ENTRANCES.map((entrance) => audienceOf(issuer, entrance)),
      currentDate: new Date(now),
      requiredClaims: ['sub', 'exp', 'iat', 'client_id', 'scope', 'authorization'],
    });
    const { sub, client_id, scope, authorization, mode, cell, exp, iat, aud } = payload as Record<string, unknown>;
    if (
      typeof sub !== 'string' ||
      typeof client_id !== 'string' ||
      typeof scope !== 'string' ||
      !Number.isSafeInteger(authorization)
    )
      return null;
    if ((iat as number) * 1000 > now + 60_000) return null;
    return {
      kid,
      sub,
      client_id,
      scope,
      authorization: authorization as number,
      mode: (mode as TokenMode | undefined) ?? null,
      entrance: entranceFor(issuer, aud)!,
      cell: Number.isSafeInteger(cell) ? (cell as number) : null,
      until: (exp as number) * 1000,
    };
  } catch {
    return null;
  }
}

async function foundOf(tx: Transaction, claims: Claims, row: AuthorizationRow): Promise<Found> {
  const token = splitScopes(claims.scope.split(' '));
  // Fewer scopes than in the token, if the application has lost some since.
  const scopes = token.scopes.filter(
    (s) => row.scopes.includes(s) || (s === 'read' && row.scopes.includes('read_write')),
  );
  const writes =
    claims.entrance !== 'mcp/read' && scopes.includes('read_write') && row.application_scopes.includes('read_write');
  const reads = writes || scopes.includes('read') || scopes.includes('read_write');
  const reach = reads ? reachOf(row, token.providerIds) : [];
  const { profiles, businesses } = reads
    ? await profilesOf(tx, row, reach, claims.mode)
    : { profiles: [], businesses: [] };
  return {
    grant: grantOf({
      credential: `authorization:${claims.authorization}`,
      kind: 'person',
      profiles,
      userId: row.user_id,
      // Profiles at businesses of other cells are read without the limits, so there are none.
      seen: reads && limitsOf(row) === UNLIMITED ? { secondFactor: row.second_factor, mode: claims.mode } : null,
      applicationId: row.application_id,
      applicationName: row.application_name,
      reach,
      writes,
      scopes,
      entrance: claims.entrance,
    }),
    subjects: [
      `user:${row.user_id}`,
      `application:${row.application_id}`,
      `authorization:${claims.authorization}`,
      `signing_key:${claims.kid}`,
      ...businesses.map((id) => `provider:${id}`),
    ],
    until: Math.min(claims.until, row.expires_at),
  };
}

/**
 * Returns the businesses in reach: those of the application, limited to what the person allowed, and to what the token
 * is for. Null: all businesses.
 */
function reachOf(row: AuthorizationRow, narrowed: readonly number[]): number[] | null {
  const cuts = [
    row.installation_wide ? null : [row.provider_id],
    row.provider_ids,
    narrowed.length > 0 ? narrowed : null,
  ].filter((c) => c !== null);
  if (cuts.length === 0) return null;
  return cuts
    .slice(1)
    .reduce<readonly number[]>((all, cut) => all.filter((id) => cut.includes(id)), cuts[0]!)
    .slice();
}

type Limited = Pick<AuthorizationRow, 'permissions' | 'venue_ids'>;

const limitsOf = ({ permissions = null, venue_ids: venues = null }: Partial<Limited>): AssistantLimits =>
  permissions === null && venues === null ? UNLIMITED : { permissions, venues };

interface ProfileRow {
  mode: 'provider' | 'customer';
  provider_id: number;
  id: number;
  permissions: Permission[] | null;
  venue_ids: number[] | null;
  second_factor_required: boolean;
}

/**
 * Returns the person's profiles at the businesses in reach; staff profiles only with a second factor if the business
 * requires one.
 */
export async function profilesOf(
  tx: Transaction,
  row: Pick<AuthorizationRow, 'user_id' | 'second_factor'> & Partial<Limited>,
  reach: readonly number[] | null,
  mode: TokenMode | null,
): Promise<{ profiles: Profile[]; businesses: number[] }> {
  const { user_id, second_factor } = row;
  const limits = limitsOf(row);
  const within = reach === null ? sql`true` : sql`x.provider_id = ANY(${reach}::bigint[])`;
  const rows = await tx.rows<ProfileRow>(
    sql`SELECT x.mode, x.provider_id, x.id, x.permissions, x.venue_ids, p.second_factor_required
        FROM (SELECT 'provider' AS mode, provider_id, id, permissions, venue_ids FROM staff
          WHERE user_id = ${user_id} AND NOT archived
              UNION ALL SELECT 'customer', provider_id, id, NULL, NULL FROM customer
              WHERE user_id = ${user_id} AND deleted_at IS NULL) x
        JOIN provider p ON p.provider_id = x.provider_id WHERE ${within}`,
  );
  const shown = rows.filter(
    (r) => (mode === null || r.mode === mode) && (r.mode === 'customer' || second_factor || !r.second_factor_required),
  );
  return {
    profiles: shown.flatMap((r): Profile[] => {
      if (r.mode === 'customer') return [{ mode: 'customer', providerId: r.provider_id, customerId: r.id }];
      const own = { permissions: r.permissions ?? [], venues: r.venue_ids?.length ? r.venue_ids : null };
      const left = withinLimits(own, limits);
      return left ? [{ mode: 'provider', providerId: r.provider_id, staffId: r.id, ...left }] : [];
    }),
    businesses: [...new Set(rows.filter((r) => r.mode === 'provider').map((r) => r.provider_id))],
  };
}
