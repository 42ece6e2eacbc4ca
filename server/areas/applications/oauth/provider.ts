/**
 * The OpenID provider: the certified library does the protocol, and is told here what this service offers. What is not
 * offered is off, and the discovery documents say what is on. Codes and who may have them are its business; who is logged
 * in, what was agreed, and what tokens look like, is ours.
 */
import { randomBytes } from 'node:crypto';
import { errors, interactionPolicy, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { applicationOfClient, clientMetadata, declaredScope, type ClientApplication } from './clients.ts';
import { consentedScopes, missingScopes } from './consent.ts';
import { isClientSecret } from '../secrets.ts';
import { CLAIMS, PATHS, STATIC_SCOPES, wantedScopes } from './offered.ts';
import { hashText, holdGrant, Records, type Store } from './records.ts';
import { audienceOf, splitScopes, startAuthorization, type Issuer } from './tokens.ts';
import { usedSecondFactor, useOwnSessions, type Person } from './browser-session.ts';
import { openKey, signingKey, TOKEN_LIFE_MS, type SigningKey } from '../keys/signing-keys.ts';
import { sql } from '../../../kernel/db/sql.ts';
import type { Transaction } from '../../../kernel/db/database.ts';

const CODE_S = 60;
/** As long as a person may take to log in and to decide. */
export const INTERACTION_S = 3600;

export interface ProviderOptions extends Store {
  readonly issuer: Issuer;
  /** who is logged in at the browser that asks */
  readonly personAt: (ctx: KoaContextWithOIDC) => Promise<Person | null>;
  readonly claimsOf: (userId: number, scopes: readonly string[]) => Promise<Record<string, unknown> | null>;
  readonly renderError: NonNullable<Configuration['renderError']>;
  readonly keys: readonly SigningKey[];
}

/** What the provider's own types leave out. */
interface Oidc {
  readonly params: Record<string, any>;
  readonly client: { readonly clientId: string; readonly application: ClientApplication };
  readonly session: { accountId?: string };
  readonly requestParamScopes: Set<string>;
  readonly entities: Record<string, any>;
  readonly result?: Record<string, unknown>;
  readonly route: string;
}
export const oidcOf = (ctx: unknown): Oidc => (ctx as { oidc: Oidc }).oidc;

const across = <T>(db: Store['db'], work: (tx: Transaction) => Promise<T>): Promise<T> => db.acrossTenants('an application that asks for a log-in names itself, not a business', work);

export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { db, now, issuer, keys, personAt } = options;
  const unusable = randomBytes(32).toString('base64url');
  const asked = new WeakMap<object, string[]>();

  const provider = new Provider(issuer.baseUrl, {
    adapter: (model: string) => {
      const records = new Records(model, options);
      if (model !== 'Client') return records;
      const find = async (id: string) => {
        const application = await across(db, (tx) => applicationOfClient(tx, id));
        return application ? clientMetadata(application, unusable) : undefined;
      };
      return Object.assign(records, { find });
    },
    routes: { authorization: PATHS.authorization, token: PATHS.token, jwks: PATHS.jwks },
    discovery: { userinfo_endpoint: issuer.baseUrl + PATHS.userinfo },
    jwks: { keys: await privateKeys(options, keys) },
    scopes: STATIC_SCOPES,
    claims: CLAIMS,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    clientDefaults: { grant_types: ['authorization_code'], response_types: ['code'], id_token_signed_response_alg: 'RS256', token_endpoint_auth_method: 'client_secret_post' },
    extraClientMetadata: { properties: ['application'] },
    pkce: { required: (_ctx, client) => (client as unknown as { application: ClientApplication }).application.isPublic },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      claimsParameter: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audienceOf(issuer),
        useGrantedResource: () => true,
        getResourceServerInfo: async (ctx, indicator) => {
          if (indicator !== audienceOf(issuer)) throw new errors.InvalidTarget('this service issues tokens for its own interface alone');
          const { params, entities, client } = oidcOf(ctx);
          const scopes = wantedScopes(params.scope ?? entities.AuthorizationCode?.scope);
          await checkBusinesses(db, client.application, scopes);
          return { scope: [...new Set([...STATIC_SCOPES, ...scopes])].join(' '), audience: indicator, accessTokenFormat: 'jwt', accessTokenTTL: TOKEN_LIFE_MS / 1000, jwt: { sign: { alg: 'RS256' } } };
        },
      },
    },
    ttl: { AuthorizationCode: CODE_S, Interaction: INTERACTION_S, Grant: 2 * INTERACTION_S, Session: INTERACTION_S, AccessToken: TOKEN_LIFE_MS / 1000, IdToken: 3600 },
    cookies: {
      names: { session: 'rollcall_oidc', interaction: 'rollcall_interaction', resume: 'rollcall_resume' },
      short: { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true },
      long: { httpOnly: true, sameSite: 'lax', signed: false },
    },
    expiresWithSession: async () => false,
    findAccount: async (_ctx, accountId) => {
      const userId = Number(accountId);
      if (!Number.isSafeInteger(userId) || (await options.claimsOf(userId, [])) === null) return undefined;
      // Who gets an access token asks with it; what an id token holds would be carried about.
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    loadExistingGrant: async (ctx) => {
      const { session, client, requestParamScopes } = oidcOf(ctx);
      const wanted = wantedScopes([...requestParamScopes].join(' '));
      const { application } = client;
      const agreed = application.firstParty ? wanted : await across(db, (tx) => consentedScopes(tx, application, Number(session.accountId)));
      const missing = missingScopes(wanted, agreed);
      asked.set(ctx, missing);
      if (missing.length > 0) return undefined;
      // One for each request: what a code gave can then be ended by itself.
      const grant = new ctx.oidc.provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope(wanted.join(' '));
      grant.addResourceScope(audienceOf(issuer), wanted.join(' '));
      await grant.save();
      return grant;
    },
    interactions: {
      policy: policyOf(personAt, (ctx) => asked.get(ctx) ?? []),
      url: (ctx, { uid, prompt }) => {
        const { client, params } = oidcOf(ctx);
        const [business] = splitScopes(wantedScopes(params.scope)).providerIds;
        return `/account/${business ?? client.application.providerId}/${prompt.name === 'login' ? 'continue' : 'consent'}/${uid}`;
      },
    },
    clientBasedCORS: (_ctx, origin, client) => {
      const { application } = client as unknown as { application: ClientApplication };
      return application.isPublic && application.callbackUrls.some((url) => URL.parse(url)?.origin === origin);
    },
    renderError: options.renderError,
  } satisfies Configuration);

  // Behind a proxy or not, the address is the one that the installation says it has: see mount.ts.
  provider.proxy = true;
  // Addresses were checked when they were set, by the rules of this service; a request must name one to the letter.
  const { prototype } = provider.Client as unknown as { prototype: any };
  (provider.Client as any).Schema.prototype.redirectUris = () => {};
  prototype.redirectUriAllowed = function redirectUriAllowed(this: { application: ClientApplication }, uri: string) {
    return this.application.callbackUrls.includes(uri);
  };
  prototype.compareClientSecret = function compareClientSecret(this: { application: ClientApplication }, secret: string) {
    return across(db, (tx) => isClientSecret(tx, this.application.providerId, this.application.id, secret, now()));
  };
  useOwnSessions(provider, personAt, now);
  giveOwnTokens(provider, options);
  provider.use(fillIn(provider));
  return provider;
}

/** The one that signs first, and of the others those that can be opened: an id token may come back as a hint. */
async function privateKeys({ db, now, issuer }: ProviderOptions, keys: readonly SigningKey[]) {
  const current = await across(db, (tx) => signingKey(tx, issuer, now()));
  const others = await Promise.all(keys.filter((k) => k.kid !== current.kid).map((k) => openKey(issuer.box, k).catch(() => null)));
  return [current, ...others.filter((k) => k !== null)].map((k) => k.privateJwk) as never;
}

/** A token can be narrowed to businesses that its application reaches, not to others. */
async function checkBusinesses(db: Store['db'], application: ClientApplication, scopes: readonly string[]): Promise<void> {
  const others = splitScopes(scopes).providerIds.filter((id) => id !== application.providerId);
  if (others.length === 0) return;
  const known = application.installationWide
    ? await across(db, (tx) => tx.rows<{ id: number }>(sql`SELECT provider_id AS id FROM provider WHERE provider_id = ANY(${others}::bigint[])`))
    : [];
  const unknown = others.find((id) => !known.some((k) => k.id === id));
  if (unknown !== undefined) throw new errors.InvalidScope('the application does not reach this business', `provider:${unknown}`);
}

/** Log-in and consent, in this order, each with what makes it necessary. */
function policyOf(personAt: ProviderOptions['personAt'], missing: (ctx: object) => string[]) {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const [logIn, consent] = [policy.get('login')!, policy.get('consent')!];
  logIn.checks.add(new Check('session_ended', 'the person is not logged in any more', 'login_required', async (ctx) => String((await personAt(ctx))?.userId) !== oidcOf(ctx).session.accountId));
  for (const reason of ['native_client_prompt', 'op_scopes_missing', 'op_claims_missing', 'rs_scopes_missing', 'rar_prompt']) consent.checks.remove(reason);
  consent.checks.add(new Check('not_agreed', 'the person has not agreed yet', 'consent_required', (ctx) => missing(ctx).length > 0));
  return policy;
}

const refreshTokens = new WeakMap<object, string>();

/** In place of a token of the library's making: the tokens that every way in gives. */
function giveOwnTokens(provider: Provider, { db, now, issuer }: ProviderOptions): void {
  (provider.AccessToken as any).prototype.save = async function save(this: { grantId: string; accountId: string; scope: string; client: { application: ClientApplication } }) {
    const ctx = Provider.ctx!;
    const { scopes, providerIds } = splitScopes(this.scope.split(' '));
    const { application } = this.client;
    const tokens = await across(db, async (tx) => {
      // Brought twice at the same moment, the code gives nothing: whoever came second has ended the grant.
      if (!(await holdGrant(tx, this.grantId, Number(this.accountId)))) throw new errors.InvalidGrant('authorization code already consumed');
      return startAuthorization(tx, issuer, now(), {
        providerId: application.providerId,
        applicationId: application.id,
        userId: Number(this.accountId),
        scopes,
        providerIds: providerIds.length > 0 ? providerIds : null,
        secondFactor: usedSecondFactor(oidcOf(ctx).entities.AuthorizationCode?.amr),
        oidcGrantId: hashText(this.grantId),
      });
    });
    refreshTokens.set(ctx, tokens.refresh_token);
    return tokens.access_token;
  };
}

/** Before and after the library: what a request leaves out, and what an answer must say besides. */
function fillIn(provider: Provider) {
  return async (ctx: any, next: () => Promise<void>): Promise<void> => {
    if (ctx.path === PATHS.authorization && !ctx.query.scope) await declareScope(provider, ctx);
    const basic = ctx.path === PATHS.token && ctx.headers.authorization !== undefined;
    // A secret is a parameter of the body and is looked for nowhere else; the library would take it from here too.
    if (basic) delete ctx.req.headers.authorization;
    await next();
    if (ctx.path === PATHS.token && ctx.method === 'POST') answerToken(ctx, basic);
  };
}

async function declareScope(provider: Provider, ctx: any): Promise<void> {
  if (typeof ctx.query.client_id !== 'string') return;
  // A client that does not fit is refused where the request is read.
  const client = await provider.Client.find(ctx.query.client_id).catch(() => undefined);
  if (client) ctx.query = { ...ctx.query, scope: declaredScope((client as unknown as { application: ClientApplication }).application) };
}

function answerToken(ctx: any, basic: boolean): void {
  const refreshToken = refreshTokens.get(ctx);
  if (refreshToken && ctx.status === 200) ctx.body = { ...ctx.body, refresh_token: refreshToken };
  const grantType = ctx.oidc?.params?.grant_type;
  if (ctx.status >= 400 && ctx.status < 500 && grantType !== 'authorization_code' && !Array.isArray(grantType)) {
    ctx.remove('WWW-Authenticate');
    ctx.status = 400;
    ctx.body = grantType
      ? { error: 'unsupported_grant_type', error_description: 'the only grant_type is authorization_code' }
      : { error: 'invalid_request', error_description: "missing required parameter 'grant_type'" };
  } else if (basic && ctx.status >= 400 && ctx.status < 500) {
    ctx.status = 401;
    ctx.set('WWW-Authenticate', 'Basic realm="not offered here"');
    ctx.body = { error: 'invalid_client', error_description: 'send client_id and client_secret as parameters of the body, never in the Authorization header' };
  }
}
