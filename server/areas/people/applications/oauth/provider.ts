/**
 * The OpenID provider: the certified library implements the protocol, and is configured here. Everything that is not
 * offered is turned off, and the discovery documents list the rest. The library decides about codes; this service
 * decides who is logged in, what was consented to, and what tokens contain.
 */
import { randomBytes } from 'node:crypto';
import { errors, interactionPolicy, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { applicationOfClient, clientMetadata, type ClientApplication } from './clients.ts';
import { consentedScopes, missingScopes } from './consent.ts';
import { isClientSecret } from '../secrets.ts';
import { CLAIMS, PATHS, STATIC_SCOPES, wantedScopes } from './offered.ts';
import { Records, type Store } from './records.ts';
import { fillIn, giveOwnTokens, takeRefreshTokens } from './own-tokens.ts';
import { across, oidcOf } from './context.ts';
import { audienceOf, defaultEntrance, entranceFor, lifeFor, mayEnter, splitScopes, type Issuer } from './tokens.ts';
import { useOwnSessions, type Person } from './browser-session.ts';
import { openKey, signingKey, TOKEN_LIFE_MS, type SigningKey } from '../keys/signing-keys.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

const CODE_S = 60;
/** The time that a person has to log in and decide. */
export const INTERACTION_S = 3600;

export interface ProviderOptions extends Store {
  readonly issuer: Issuer;
  /** the person who is logged in at the requesting browser */
  readonly personAt: (ctx: KoaContextWithOIDC) => Promise<Person | null>;
  readonly claimsOf: (userId: number, scopes: readonly string[]) => Promise<Record<string, unknown> | null>;
  readonly renderError: NonNullable<Configuration['renderError']>;
  readonly keys: readonly SigningKey[];
}

export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { now, issuer, keys, personAt } = options;
  const asked = new WeakMap<object, string[]>();

  const provider = new Provider(issuer.baseUrl, {
    adapter: adapterOf(options),
    routes: { authorization: PATHS.authorization, token: PATHS.token, jwks: PATHS.jwks },
    discovery: { userinfo_endpoint: issuer.baseUrl + PATHS.userinfo },
    jwks: { keys: await privateKeys(options, keys) },
    scopes: STATIC_SCOPES,
    claims: CLAIMS,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
      token_endpoint_auth_method: 'client_secret_post',
    },
    extraClientMetadata: { properties: ['application'] },
    pkce: {
      required: (_ctx, client) => clientApplication(client).isPublic,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      claimsParameter: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, client) => audienceOf(issuer, defaultEntrance(clientApplication(client))),
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, indicator) => resourceOf(ctx, indicator, options),
      },
    },
    ttl: {
      AuthorizationCode: CODE_S,
      Interaction: INTERACTION_S,
      Grant: 2 * INTERACTION_S,
      Session: INTERACTION_S,
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? TOKEN_LIFE_MS / 1000,
      IdToken: 3600,
    },
    cookies: {
      names: { session: 'rollcall_oidc', interaction: 'rollcall_interaction', resume: 'rollcall_resume' },
      short: { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true },
      long: { httpOnly: true, sameSite: 'lax', signed: false },
    },
    expiresWithSession: async () => false,
    findAccount: async (_ctx, accountId) => {
      const userId = Number(accountId);
      if (!Number.isSafeInteger(userId) || (await options.claimsOf(userId, [])) === null) return undefined;
      // An application with an access token can request the claims; in an id token, they would be passed around.
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    loadExistingGrant: (ctx) => grantOf(ctx, options, asked),
    interactions: {
      policy: policyOf(personAt, (ctx) => asked.get(ctx) ?? []),
      url: (ctx, { uid, prompt }) => {
        const { client, params } = oidcOf(ctx);
        const [business] = splitScopes(wantedScopes(params.scope)).providerIds;
        return `/account/${business ?? client.application.providerId}/${prompt.name === 'login' ? 'continue' : 'consent'}/${uid}`;
      },
    },
    clientBasedCORS: (_ctx, origin, client) => {
      const application = clientApplication(client);
      return application.isPublic && application.callbackUrls.some((url) => URL.parse(url)?.origin === origin);
    },
    renderError: options.renderError,
  } satisfies Configuration);

  // With or without a proxy, the address is the installation's own: see mount.ts.
  provider.proxy = true;
  useOwnApplications(provider, options);
  useOwnSessions(provider, personAt, now);
  giveOwnTokens(provider, options);
  takeRefreshTokens(provider, options);
  provider.use(fillIn(provider));
  return provider;
}

const clientApplication = (client: unknown): ClientApplication =>
  (client as { readonly application: ClientApplication }).application;

/** The resources of tokens are the interface of this service, and its endpoint for assistants. */
async function resourceOf(ctx: KoaContextWithOIDC, indicator: string, { db, issuer }: ProviderOptions) {
  const entrance = entranceFor(issuer, indicator);
  if (entrance === undefined)
    throw new errors.InvalidTarget('this service issues tokens for its own interface and its endpoint for assistants');
  const { params, entities, client } = oidcOf(ctx);
  if (!mayEnter(client.application, entrance))
    throw new errors.InvalidTarget(
      'this application is an assistant, which gets tokens for the endpoint for assistants alone',
    );
  const scopes = wantedScopes(params.scope ?? entities.AuthorizationCode?.scope);
  await checkBusinesses(db, client.application, scopes);
  return {
    scope: [...new Set([...STATIC_SCOPES, ...scopes])].join(' '),
    audience: indicator,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: lifeFor(entrance) / 1000,
    jwt: { sign: { alg: 'RS256' as const } },
  };
}

/** Returns the grant that the application has without asking; undefined if it has to ask for `asked`. */
async function grantOf(ctx: KoaContextWithOIDC, { db, issuer }: ProviderOptions, asked: WeakMap<object, string[]>) {
  const { session, client, requestParamScopes } = oidcOf(ctx);
  const wanted = wantedScopes([...requestParamScopes].join(' '));
  const { application } = client;
  const agreed = application.firstParty
    ? wanted
    : await across(db, (tx) => consentedScopes(tx, application, Number(session.accountId)));
  const missing = missingScopes(wanted, agreed);
  asked.set(ctx, missing);
  if (missing.length > 0) return undefined;
  // One grant for each request, so that what a code yielded can be ended separately.
  const grant = new ctx.oidc.provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(wanted.join(' '));
  const { resource = audienceOf(issuer, defaultEntrance(application)) } = oidcOf(ctx).params;
  for (const one of [resource].flat()) grant.addResourceScope(one, wanted.join(' '));
  await grant.save();
  return grant;
}

/** Applications are read from their own table; everything else is a record. */
function adapterOf(options: ProviderOptions) {
  const unusable = randomBytes(32).toString('base64url');
  const findClient = async (id: string) => {
    const application = await across(options.db, (tx) => applicationOfClient(tx, id));
    return application ? clientMetadata(application, unusable) : undefined;
  };
  return (model: string) =>
    model === 'Client' ? Object.assign(new Records(model, options), { find: findClient }) : new Records(model, options);
}

/**
 * Callback URLs were checked by this service's rules when they were set; secrets are compared where they are stored.
 */
function useOwnApplications(provider: Provider, { db, now }: ProviderOptions): void {
  const Client = provider.Client as any;
  Client.Schema.prototype.redirectUris = () => {};
  Client.prototype.compareClientSecret = function compareClientSecret(
    this: { application: ClientApplication },
    secret: string,
  ) {
    return across(db, (tx) => isClientSecret(tx, this.application.providerId, this.application.id, secret, now()));
  };
}

/**
 * Returns the private keys: the one that signs first, then others that can be opened, because an id token may come back
 * as a hint.
 */
async function privateKeys({ db, now, issuer }: ProviderOptions, keys: readonly SigningKey[]) {
  const current = await across(db, (tx) => signingKey(tx, issuer, now()));
  const others = await Promise.all(
    keys.filter((k) => k.kid !== current.kid).map((k) => openKey(issuer.box, k).catch(() => null)),
  );
  return [current, ...others.filter((k) => k !== null)].map((k) => k.privateJwk) as never;
}

/** Refuses to narrow a token to businesses that its application does not reach. */
async function checkBusinesses(
  db: Store['db'],
  application: ClientApplication,
  scopes: readonly string[],
): Promise<void> {
  const others = splitScopes(scopes).providerIds.filter((id) => id !== application.providerId);
  if (others.length === 0) return;
  const known = application.installationWide
    ? await across(db, (tx) =>
        tx.rows<{ id: number }>(
          sql`SELECT provider_id AS id FROM provider WHERE provider_id = ANY(${others}::bigint[])`,
        ),
      )
    : [];
  const unknown = others.find((id) => !known.some((k) => k.id === id));
  if (unknown !== undefined)
    throw new errors.InvalidScope('the application does not reach this business', `provider:${unknown}`);
}

/** Returns log-in and consent, in this order, each with the conditions that require it. */
function policyOf(personAt: ProviderOptions['personAt'], missing: (ctx: object) => string[]) {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const [logIn, consent] = [policy.get('login')!, policy.get('consent')!];
  logIn.checks.add(
    new Check(
      'session_ended',
      'the person is not logged in any more',
      'login_required',
      async (ctx) => String((await personAt(ctx))?.userId) !== oidcOf(ctx).session.accountId,
    ),
  );
  for (const reason of [
    'native_client_prompt',
    'op_scopes_missing',
    'op_claims_missing',
    'rs_scopes_missing',
    'rar_prompt',
  ])
    consent.checks.remove(reason);
  consent.checks.add(
    new Check('not_agreed', 'the person has not agreed yet', 'consent_required', (ctx) => missing(ctx).length > 0),
  );
  return policy;
}
