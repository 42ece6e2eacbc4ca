/**
 * Tokens of an application that a person let in: an access token that says what it is valid for, and a refresh token.
 * Codes, passwords and refresh tokens all lead here, so that all tokens are alike.
 */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { ALGORITHM, signingKey, TOKEN_LIFE_MS, type KeyRing } from '../keys/signing-keys.ts';
import { hashOf, isWellFormed, makeSecret, stillLetIn } from '../../identity/index.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { isSecretOf, type SecretKind } from '../secrets.ts';
import type { Entrance } from '../../../../kernel/work/access/grant.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** The issuer: the part of the installation that signing needs. */
export interface Issuer extends KeyRing {
  /** without a trailing slash */
  readonly baseUrl: string;
}

export type TokenMode = 'customer' | 'provider';

export interface Tokens {
  readonly access_token: string;
  /** seconds */
  readonly expires_in: number;
  readonly refresh_token: string;
}

interface Start {
  /** the application, and the business that owns it */
  readonly providerId: number;
  readonly applicationId: number;
  readonly userId: number;
  /** `read`, `read_write`, `openid`, `email`, `profile` */
  readonly scopes: readonly string[];
  /** only these businesses; null: all that the application reaches */
  readonly providerIds?: readonly number[] | null;
  readonly secondFactor: boolean;
  /** the only part of the service that accepts its tokens */
  readonly entrance?: Entrance;
  /** id of the grant of the code */
  readonly oidcGrantId?: string | null;
}

const REFRESH = 'rcr_';
const DAY = 86_400_000;
const REFRESH_UNUSED_MS = 60 * DAY;
const AUTHORIZATION_LIFE_MS = 365 * DAY;

/** Access tokens of assistants go through programs that read much, so they end sooner. */
const ASSISTANT_TOKEN_LIFE_MS = 15 * 60_000;

export const ENTRANCES: readonly Entrance[] = ['interface', 'mcp', 'mcp/read'];

/** Returns the audience of tokens for a part of the service: its address. */
export const audienceOf = ({ baseUrl }: { readonly baseUrl: string }, entrance: Entrance = 'interface'): string =>
  `${baseUrl}/${entrance === 'interface' ? 'api/v2' : entrance}`;

/** Returns the part of the service that has this audience; undefined if none has. */
export const entranceFor = (issuer: { readonly baseUrl: string }, audience: unknown): Entrance | undefined =>
  ENTRANCES.find((entrance) => audienceOf(issuer, entrance) === audience);

/** Returns the part of the service that tokens are for if a request names none. */
export const defaultEntrance = ({ isAssistant }: { readonly isAssistant: boolean }): Entrance =>
  isAssistant ? 'mcp' : 'interface';

/** Returns the validity of an access token, in milliseconds. */
export const lifeFor = (entrance: Entrance): number =>
  entrance === 'interface' ? TOKEN_LIFE_MS : ASSISTANT_TOKEN_LIFE_MS;

/** Records that the person lets the application in, and issues its first tokens. Needs a transaction across tenants. */
export async function startAuthorization(
  tx: Transaction,
  issuer: Issuer,
  now: number,
  start: Start,
): Promise<Tokens & { authorizationId: number }> {
  const { providerId, applicationId, userId, scopes, secondFactor, providerIds = null, oidcGrantId = null } = start;
  const { entrance = 'interface' } = start;
  const row = await tx.one<{ id: number; client_id: string }>(
    sql`
      INSERT INTO app_authorization (provider_id, application_id, user_id, scopes, provider_ids, second_factor,
        entrance, oidc_grant_id, created_at, last_used_at, expires_at, permissions, venue_ids)
        SELECT ${providerId}::bigint, ${applicationId}::bigint, ${userId}::bigint, ${scopes}::text[],
          ${providerIds}::bigint[], ${secondFactor}::boolean, ${entrance}::text, ${oidcGrantId}::text,
          ${instant(now)}::timestamptz, ${instant(now)}::timestamptz, ${instant(now + REFRESH_UNUSED_MS)}::timestamptz,
          c.permissions, c.venue_ids
        FROM (SELECT 1) one LEFT JOIN app_consent c
          ON c.provider_id = ${providerId} AND c.application_id = ${applicationId} AND c.user_id = ${userId}
        RETURNING id, (SELECT client_id FROM application
          WHERE provider_id = ${providerId} AND id = ${applicationId}) AS client_id`,
  );
  const { id, client_id: clientId } = row!;
  const tokens = await issueTokens(tx, issuer, now, {
    providerId,
    id,
    clientId,
    userId,
    scopes,
    refreshScopes: scopes,
    providerIds,
    mode: null,
    entrance,
    startedAt: now,
  });
  return { ...tokens, authorizationId: id };
}

interface Authorization {
  readonly providerId: number;
  readonly id: number;
  readonly clientId: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** of the refresh token: narrowing one access token does not narrow the next */
  readonly refreshScopes: readonly string[];
  readonly providerIds: readonly number[] | null;
  readonly mode: TokenMode | null;
  readonly entrance: Entrance;
  readonly startedAt: number;
}

async function issueTokens(tx: Transaction, issuer: Issuer, now: number, a: Authorization): Promise<Tokens> {
  const { secret, hash } = makeSecret(REFRESH);
  // Sixty days from each use, and a year in total: after that, the person is asked again.
  const until = Math.min(now + REFRESH_UNUSED_MS, a.startedAt + AUTHORIZATION_LIFE_MS);
  await tx.all([
    sql`INSERT INTO refresh_token (provider_id, authorization_id, token_hash, mode, scopes, created_at, expires_at)
        VALUES (${a.providerId}, ${a.id}, ${hash}, ${a.mode}, ${a.refreshScopes}, ${instant(now)}, ${instant(until)})`,
    // The last access token may outlive the last refresh token.
    sql`UPDATE app_authorization SET last_used_at = ${instant(now)},
      expires_at = ${instant(Math.max(until, now + TOKEN_LIFE_MS))}
      WHERE provider_id = ${a.providerId} AND id = ${a.id}`,
  ]);
  return {
    access_token: await signAccessToken(tx, issuer, now, a),
    expires_in: lifeFor(a.entrance) / 1000,
    refresh_token: secret,
  };
}

/** Returns scopes as a token has them: the businesses that it is narrowed to are among the scopes. */
const scopeText = (scopes: readonly string[], providerIds: readonly number[] | null): string =>
  [...scopes, ...(providerIds ?? []).map((id) => `provider:${id}`)].join(' ');

/** Signs an access token with the profile of RFC 9068, plus its authorization and its mode. */
async function signAccessToken(tx: Transaction, issuer: Issuer, now: number, a: Authorization): Promise<string> {
  const { kid, key } = await signingKey(tx, issuer, now);
  const seconds = Math.floor(now / 1000);
  return new SignJWT({
    client_id: a.clientId,
    scope: scopeText(a.scopes, a.providerIds),
    authorization: a.id,
    ...(a.mode && { mode: a.mode }),
    // For the server that routes a request to its cell, and for a cell that has to check the authorization elsewhere.
    ...(issuer.cells && { business: a.providerId, cell: issuer.cells.own }),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid })
    .setIssuer(issuer.baseUrl)
    .setAudience(audienceOf(issuer, a.entrance))
    .setSubject(String(a.userId))
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifeFor(a.entrance) / 1000)
    .setJti(randomUUID())
    .sign(key);
}

/** Returns true if the application may have tokens for this part of the service. */
export const mayEnter = ({ isAssistant }: { readonly isAssistant: boolean }, entrance: Entrance): boolean =>
  !isAssistant || entrance !== 'interface';

/**
 * Matches an authorization `a` of application `app` and account `u` that may be used. An application that became an
 * assistant can't use the tokens for the interface that it had before.
 */
export const stands: Sql = sql`app.deleted_at IS NULL AND NOT (app.is_assistant AND a.entrance = 'interface')
  AND ${stillLetIn(sql`a.created_at`)}`;

type EndReason = 'disconnected' | 'code_replayed' | 'refresh_replayed' | 'password_changed' | 'revoked' | 'expired';

/**
 * `secret_…`: the application has a secret, and the request did not prove that it knows it; nothing has changed.
 * `replayed`: the token had been used before, and the authorization has ended; the transaction must be committed.
 */
export type Refreshed =
  | { outcome: 'accepted'; tokens: Tokens }
  | { outcome: 'refused' | 'replayed' | 'secret_missing' | 'secret_wrong' }
  | { outcome: 'scope'; allowed: readonly string[] };

interface RefreshRow {
  id: number;
  provider_id: number;
  authorization_id: number;
  mode: TokenMode | null;
  scopes: string[];
  used: boolean;
  over: boolean;
  user_id: number;
  provider_ids: number[] | null;
  entrance: Entrance;
  created_at: number;
  client_id: string;
  application_id: number;
  is_public: boolean;
  installation_wide: boolean;
}

export interface RefreshWish {
  readonly refreshToken: string;
  /** narrows the token; absent: the token's own scopes */
  readonly scope?: readonly string[];
  readonly mode?: TokenMode;
  /** the application, if it is identified already: the token must be its own */
  readonly client?: string;
  /** secrets that the application sent to identify itself; one correct secret is enough */
  readonly secrets?: { readonly [Kind in SecretKind]?: string | undefined };
}

/** Returns true if the token belongs to this cell; needs a transaction across tenants. */
export const isRefreshTokenHere = async (tx: Transaction, refreshToken: string): Promise<boolean> =>
  isWellFormed(REFRESH, refreshToken) &&
  (await tx.one(sql`SELECT 1 AS there FROM refresh_token WHERE token_hash = ${hashOf(refreshToken)}`)) !== undefined;

/**
 * Exchanges a refresh token for new tokens, once. Needs a transaction across tenants, committed regardless of the
 * outcome.
 */
export async function refresh(
  tx: Transaction,
  issuer: Issuer,
  now: number,
  { refreshToken, scope, mode, client, secrets = {} }: RefreshWish,
): Promise<Refreshed> {
  if (!isWellFormed(REFRESH, refreshToken)) return { outcome: 'refused' };
  // Because of the lock, the second of two concurrent uses sees that the token was used.
  const row = await tx.one<RefreshRow>(
    sql`SELECT r.id, r.provider_id, r.authorization_id, r.mode, r.scopes, r.used_at IS NOT NULL AS used,
               r.expires_at <= ${instant(now)} OR a.ended_at IS NOT NULL OR NOT (${stands}) AS over,
               a.user_id, a.provider_ids, a.entrance, a.created_at, app.client_id, app.id AS application_id,
               app.is_public, app.installation_wide
        FROM refresh_token r
        JOIN app_authorization a ON a.provider_id = r.provider_id AND a.id = r.authorization_id
        JOIN application app ON app.provider_id = a.provider_id AND app.id = a.application_id
        JOIN user_account u ON u.id = a.user_id
        WHERE r.token_hash = ${hashOf(refreshToken)} FOR UPDATE OF r, a`,
  );
  if (!row) return { outcome: 'refused' };
  if (row.over) return { outcome: 'refused' };
  // Checked before anything else: somebody who only found the token can neither use it nor end its authorization.
  if (client !== undefined && client !== row.client_id) return { outcome: 'refused' };
  const unproven = row.is_public || client !== undefined ? null : await notProven(tx, row, secrets, now);
  if (unproven) return { outcome: unproven };
  if (row.used) {
    await endAuthorizations(
      tx,
      sql`provider_id = ${row.provider_id} AND id = ${row.authorization_id}`,
      'refresh_replayed',
      now,
    );
    return { outcome: 'replayed' };
  }
  const narrowed = narrow(row, scope);
  if (!narrowed) return { outcome: 'scope', allowed: scopeText(row.scopes, row.provider_ids).split(' ') };
  await tx.run(
    sql`UPDATE refresh_token SET used_at = ${instant(now)} WHERE provider_id = ${row.provider_id} AND id = ${row.id}`,
  );
  const tokens = await issueTokens(tx, issuer, now, {
    providerId: row.provider_id,
    id: row.authorization_id,
    clientId: row.client_id,
    userId: row.user_id,
    startedAt: row.created_at,
    entrance: row.entrance,
    mode: mode ?? row.mode,
    refreshScopes: row.scopes,
    ...narrowed,
  });
  return { outcome: 'accepted', tokens };
}

/** Returns what is wrong with the secrets that a confidential application sent; null if one of them is its own. */
async function notProven(
  tx: Transaction,
  { provider_id, application_id }: RefreshRow,
  secrets: NonNullable<RefreshWish['secrets']>,
  now: number,
): Promise<'secret_missing' | 'secret_wrong' | null> {
  const given = Object.entries(secrets).filter((entry): entry is [SecretKind, string] => entry[1] !== undefined);
  if (given.length === 0) return 'secret_missing';
  for (const [kind, secret] of given)
    if (!(await isSecretOf(tx, kind, provider_id, application_id, secret, now))) return 'secret_wrong';
  return null;
}

const PROVIDER_SCOPE = /^provider:([1-9]\d{0,14})$/;

/** Splits a list of scopes into the businesses that it names and all other scopes. */
export function splitScopes(scopes: readonly string[]): { scopes: string[]; providerIds: number[] } {
  const providerIds = scopes
    .map((s) => PROVIDER_SCOPE.exec(s))
    .filter((m) => m !== null)
    .map((m) => Number(m[1]));
  return {
    scopes: [...new Set(scopes.filter((s) => !PROVIDER_SCOPE.test(s)))],
    providerIds: [...new Set(providerIds)],
  };
}

/** Narrows scopes; null if more is requested than granted. */
function narrow(
  row: RefreshRow,
  wish: readonly string[] | undefined,
): { scopes: readonly string[]; providerIds: readonly number[] | null } | null {
  if (wish === undefined) return { scopes: row.scopes, providerIds: row.provider_ids };
  const { scopes, providerIds } = splitScopes(wish);
  const has = (scope: string): boolean =>
    row.scopes.includes(scope) || (scope === 'read' && row.scopes.includes('read_write'));
  const reached = (id: number): boolean =>
    row.provider_ids?.includes(id) ?? (row.installation_wide || id === row.provider_id);
  if (!scopes.every(has) || !providerIds.every(reached)) return null;
  return {
    scopes: scopes.length > 0 ? scopes : row.scopes,
    providerIds: providerIds.length > 0 ? providerIds : row.provider_ids,
  };
}

/**
 * Ends authorizations, and with them all their tokens. `which` is a condition over `app_authorization`. Returns their
 * number.
 */
export async function endAuthorizations(tx: Transaction, which: Sql, reason: EndReason, now: number): Promise<number> {
  return tx.run(
    sql`UPDATE app_authorization SET ended_at = ${instant(now)}, end_reason = ${reason}
      WHERE ended_at IS NULL AND ${which}`,
  );
}
