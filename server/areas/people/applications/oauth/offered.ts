/** The offered scopes and paths. */
import { splitScopes } from './tokens.ts';

export const PATHS = {
  authorization: '/api/v2/auth/oauth/authorize',
  token: '/api/v2/auth/oauth/token',
  jwks: '/api/v2/auth/oauth/jwks',
  userinfo: '/api/v2/auth/oidc/userinfo',
  openid: '/.well-known/openid-configuration',
  oauth: '/.well-known/oauth-authorization-server',
} as const;

export const STATIC_SCOPES = ['read', 'read_write', 'openid', 'email', 'profile'];
export const CLAIMS = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'updated_at'],
};

/** Returns the scopes of a request that are known here. */
export const wantedScopes = (text: string | undefined): string[] =>
  [...new Set(text?.split(' ') ?? [])].filter(
    (s) => STATIC_SCOPES.includes(s) || splitScopes([s]).providerIds.length > 0,
  );
