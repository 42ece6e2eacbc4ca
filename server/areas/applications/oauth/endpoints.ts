/** What an application asks with the tokens it holds: who the person is, and for new tokens. */
import { action, answer } from '../../../kernel/api/endpoint.ts';
import { ANYBODY_KNOWN } from '../own-application.ts';
import { boolean, integer, listOf, oneOf, text } from '../../../kernel/api/kinds.ts';
import { claimsOf } from './claims.ts';
import { EVERYONE } from '../../../kernel/api/endpoint.ts';
import { invalid, Problem, Refused } from '../../../kernel/api/problem.ts';
import { refresh } from './tokens.ts';
import { tokenRefused } from '../../../kernel/access/grant.ts';

const scopeMissing = () =>
  new Problem('permission_denied', 'The token was given without the scope openid.', {}, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' });

export const userinfo = action({
  method: 'GET',
  path: '/auth/oidc/userinfo',
  belongsTo: 'installation',
  summary: 'Get who the person is',
  description: 'The userinfo endpoint of OpenID Connect. The token needs the scope `openid`; `email` and `profile` tell more.',
  who: ANYBODY_KNOWN,
  returns: answer({
    sub: text().describe('The id of the person, the same for every application.'),
    email: text().optional(),
    email_verified: boolean().optional(),
    name: text().optional(),
    given_name: text().optional(),
    family_name: text().optional(),
    updated_at: integer().optional().describe('Seconds since 1970.'),
  }),
  run: async ({ work, grant }) => {
    if (!grant?.userId || !grant.scopes.includes('openid')) throw scopeMissing();
    return (await claimsOf(work.tx, grant.userId, grant.scopes)) ?? raise(tokenRefused());
  },
});

function raise(problem: Problem): never {
  throw problem;
}

export const refresh_access_token = action({
  path: '/auth/refresh_access_token',
  belongsTo: 'installation',
  dryRun: 'The call uses the refresh token up, and the tokens in the answer work at once.',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'A refresh token works once: the answer holds the next. Used a second time, it may have been stolen, and everything that came of the same log-in ends. ' +
    'It lives for 60 days, each use gives 60 more, and after a year the person is asked again. An application that keeps a secret sends it along: whoever finds the token alone can do nothing with it.',
  who: EVERYONE,
  body: {
    refresh_token: text({ max: 4000 }),
    client_secret: text({ max: 255 }).optional().describe('Of the application; needed unless the application is public or sends its `direct_auth_key`.'),
    direct_auth_key: text({ max: 255 }).optional().describe('In place of the `client_secret`, for applications with direct authentication.'),
    scope: listOf(text({ max: 100 }), { min: 1, max: 50 }).optional().describe('Narrows the access token of this answer; absent: what was agreed.'),
    new_access_token_type: oneOf(['customer', 'provider']).optional().describe('The one mode that the access token is for, and those after it; absent: as before, at first both.'),
  },
  returns: answer({ access_token: text(), expires_in: integer().nullable().describe('Seconds.'), refresh_token: text() }),
  run: async ({ work, body }) => {
    const refreshed = await refresh(work.tx, work.installation, work.now, { refreshToken: body.refresh_token, scope: body.scope, mode: body.new_access_token_type, secrets: { client: body.client_secret, direct_auth: body.direct_auth_key } });
    if (refreshed.outcome === 'accepted') return refreshed.tokens;
    if (refreshed.outcome === 'scope') throw invalid('scope', `The token is for ${refreshed.allowed.join(', ')} at most.`);
    if (refreshed.outcome === 'secret_missing') throw invalid('client_secret', 'Send the client_secret of the application, or its direct_auth_key.');
    if (refreshed.outcome === 'secret_wrong') throw new Problem('authentication_failed', 'The secret is not one of the application that the token was given to.');
    // Kept, though refused: what was replayed has ended.
    return new Refused(tokenRefused());
  },
});
