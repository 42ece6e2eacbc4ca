/** Endpoints for applications with tokens: information about the person, and new tokens. */
import { action, answer, read, EVERYONE } from '../../../../kernel/api/endpoint.ts';
import { ANYBODY_KNOWN } from '../own-application.ts';
import { boolean, integer, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { loadClaims } from './claims.ts';
import { invalid, Problem, Refused } from '../../../../kernel/base/problem.ts';
import { authorizationsElsewhere } from '../elsewhere.ts';
import { isRefreshTokenHere, refresh, type Refreshed, type RefreshWish } from './tokens.ts';
import { tokenRefused } from '../../../../kernel/work/access/grant.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const scopeMissing = () =>
  new Problem(
    'permission_denied',
    'The token does not have the scope openid.',
    {},
    { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' },
  );

export const userinfo = read({
  path: '/auth/oidc/userinfo',
  belongsTo: 'installation',
  summary: 'Get the person behind the token',
  description:
    'The userinfo endpoint of OpenID Connect. The token needs the scope `openid`. With `email` and `profile`, it returns more.',
  who: ANYBODY_KNOWN,
  returns: answer({
    sub: text().describe('Id of the person. The same for every application.'),
    email: text().optional(),
    email_verified: boolean().optional(),
    name: text().optional(),
    given_name: text().optional(),
    family_name: text().optional(),
    updated_at: integer().optional().describe('Seconds since 1970.'),
  }),
  run: async ({ work, grant }) => {
    if (!grant?.userId || !grant.scopes.includes('openid')) throw scopeMissing();
    return (await loadClaims(work.tx, grant.userId, grant.scopes)) ?? raise(tokenRefused());
  },
});

function raise(problem: Problem): never {
  throw problem;
}

/** Refreshes in another cell; null: the token belongs to this cell, or to none. */
async function refreshElsewhere({ tx, installation: { cells } }: Work, wish: RefreshWish): Promise<Refreshed | null> {
  if (cells === null || (await isRefreshTokenHere(tx, wish.refreshToken))) return null;
  return cells.at(authorizationsElsewhere).refresh(wish);
}

export const refresh_access_token = action({
  path: '/auth/refresh_access_token',
  belongsTo: 'installation',
  dryRun: 'The call uses up the refresh token, and the tokens in the response work immediately.',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'A refresh token works only once, and the response contains the next one. If it is used a second time, it may have been stolen, so all tokens of the same log-in end. ' +
    'It is valid for 60 days, and each use extends it by 60 days. After a year, the person is asked again. An application that has a secret must send it too, so that the token alone is of no use to anyone who finds it.',
  who: EVERYONE,
  body: {
    refresh_token: text({ max: 4000 }),
    client_secret: text({ max: 255 })
      .optional()
      .describe(
        'Client secret of the application. Required unless the application is public or sends its `direct_auth_key`.',
      ),
    direct_auth_key: text({ max: 255 })
      .optional()
      .describe('Instead of the `client_secret`, for applications with direct authentication.'),
    scope: listOf(text({ max: 100 }), { min: 1, max: 50 })
      .optional()
      .describe(
        'Limits the scopes of the access token in this response. Defaults to the scopes that the person agreed to.',
      ),
    new_access_token_type: oneOf(['customer', 'provider'])
      .optional()
      .describe(
        'The only mode that this access token and the following ones are for. Defaults to the previous setting, which is both modes at first.',
      ),
  },
  returns: answer({
    access_token: text(),
    expires_in: integer().nullable().describe('Seconds.'),
    refresh_token: text(),
  }),
  run: async ({ work, body }) => {
    const wish: RefreshWish = {
      refreshToken: body.refresh_token,
      scope: body.scope,
      mode: body.new_access_token_type,
      secrets: { client: body.client_secret, direct_auth: body.direct_auth_key },
    };
    const refreshed =
      (await refreshElsewhere(work, wish)) ?? (await refresh(work.tx, work.installation, work.now, wish));
    if (refreshed.outcome === 'accepted') return refreshed.tokens;
    if (refreshed.outcome === 'scope') throw invalid('scope', `The token allows only ${refreshed.allowed.join(', ')}.`);
    if (refreshed.outcome === 'secret_missing')
      throw invalid('client_secret', 'Send the client_secret of the application, or its direct_auth_key.');
    if (refreshed.outcome === 'secret_wrong')
      throw new Problem(
        'authentication_failed',
        'The secret doesn’t belong to the application that the token was issued to.',
      );
    // Committed, although the request is refused: the authorization of a replayed token has ended.
    return new Refused(tokenRefused());
  },
});
