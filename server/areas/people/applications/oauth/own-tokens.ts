/**
 * Responses of the token endpoint: the same tokens as any other way to log in, and refusals in the terms of the API.
 */
import { errors, Provider } from 'oidc-provider';
import { across, oidcOf } from './context.ts';
import { declaredScope, type ClientApplication } from './clients.ts';
import { hashText, holdGrant } from './records.ts';
import { PATHS } from './offered.ts';
import { entranceFor, refresh, splitScopes, startAuthorization, type Issuer } from './tokens.ts';
import { usedSecondFactor } from './browser-session.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';

interface OwnTokens {
  readonly db: Database;
  readonly now: () => number;
  readonly issuer: Issuer;
}

const GRANTS: readonly unknown[] = ['authorization_code', 'refresh_token'];

const refreshTokens = new WeakMap<object, string>();

/** Replaces the library's tokens with those that every way to log in issues. */
export function giveOwnTokens(provider: Provider, { db, now, issuer }: OwnTokens): void {
  (provider.AccessToken as any).prototype.save = async function save(this: {
    grantId: string;
    accountId: string;
    scope: string;
    aud?: string;
    client: { application: ClientApplication };
  }) {
    const ctx = Provider.ctx!;
    const { scopes, providerIds } = splitScopes(this.scope.split(' '));
    const { application } = this.client;
    const tokens = await across(db, async (tx) => {
      // If the code is sent twice at the same moment, it yields nothing: the second request has ended the grant.
      if (!(await holdGrant(tx, this.grantId, Number(this.accountId))))
        throw new errors.InvalidGrant('authorization code already consumed');
      return startAuthorization(tx, issuer, now(), {
        providerId: application.providerId,
        applicationId: application.id,
        userId: Number(this.accountId),
        scopes,
        providerIds: providerIds.length > 0 ? providerIds : null,
        entrance: entranceFor(issuer, this.aud),
        secondFactor: usedSecondFactor(oidcOf(ctx).entities.AuthorizationCode?.amr),
        oidcGrantId: hashText(this.grantId),
      });
    });
    refreshTokens.set(ctx, tokens.refresh_token);
    return tokens.access_token;
  };
}

/**
 * Exchanges a refresh token at the token endpoint, as the standard has it. `POST /auth/refresh_access_token` does the
 * same, and can narrow a token to a mode.
 */
export function takeRefreshTokens(provider: Provider, { db, now, issuer }: OwnTokens): void {
  provider.registerGrantType(
    'refresh_token',
    async (ctx: any) => {
      const { params, client } = oidcOf(ctx);
      if (!params.refresh_token) throw new errors.InvalidRequest("missing required parameter 'refresh_token'");
      const refreshed = await across(db, (tx) =>
        refresh(tx, issuer, now(), {
          refreshToken: params.refresh_token,
          ...(params.scope && { scope: params.scope.split(' ') }),
          client: client.clientId,
        }),
      );
      if (refreshed.outcome === 'scope')
        throw new errors.InvalidScope(`the token allows only ${refreshed.allowed.join(', ')}`, params.scope);
      if (refreshed.outcome !== 'accepted') throw new errors.InvalidGrant('refresh token is expired or invalid');
      ctx.body = { ...refreshed.tokens, token_type: 'Bearer' };
    },
    ['refresh_token', 'scope', 'resource'],
    'resource',
  );
}

/** Fills in what requests leave out before the library runs, and what responses lack after it. */
export function fillIn(provider: Provider) {
  return async (ctx: any, next: () => Promise<void>): Promise<void> => {
    if (ctx.path === PATHS.authorization && !ctx.query.scope) await declareScope(provider, ctx);
    const basic = ctx.path === PATHS.token && ctx.headers.authorization !== undefined;
    // A secret is a parameter of the body and is read from nowhere else; the library would also accept it from this
    // header.
    if (basic) delete ctx.req.headers.authorization;
    await next();
    if (ctx.path === PATHS.token && ctx.method === 'POST') answerToken(ctx, basic);
  };
}

async function declareScope(provider: Provider, ctx: any): Promise<void> {
  if (typeof ctx.query.client_id !== 'string') return;
  // An unsuitable client is refused where the request is read.
  const client = await provider.Client.find(ctx.query.client_id).catch(() => undefined);
  if (client)
    ctx.query = {
      ...ctx.query,
      scope: declaredScope((client as unknown as { application: ClientApplication }).application),
    };
}

function answerToken(ctx: any, basic: boolean): void {
  const refreshToken = refreshTokens.get(ctx);
  if (refreshToken && ctx.status === 200) ctx.body = { ...ctx.body, refresh_token: refreshToken };
  const grantType = ctx.oidc?.params?.grant_type;
  if (ctx.status >= 400 && ctx.status < 500 && !GRANTS.includes(grantType) && !Array.isArray(grantType)) {
    ctx.remove('WWW-Authenticate');
    ctx.status = 400;
    ctx.body = grantType
      ? { error: 'unsupported_grant_type', error_description: 'grant_type must be authorization_code or refresh_token' }
      : { error: 'invalid_request', error_description: "missing required parameter 'grant_type'" };
  } else if (basic && ctx.status >= 400 && ctx.status < 500) {
    ctx.status = 401;
    ctx.set('WWW-Authenticate', 'Basic realm="not offered here"');
    ctx.body = {
      error: 'invalid_client',
      error_description:
        'send client_id and client_secret as parameters of the body, never in the Authorization header',
    };
  }
}
