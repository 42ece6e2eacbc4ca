import { answer, EVERYONE, outside } from '../../../kernel/api/endpoint.ts';
import { applicationBy, direct_auth_key, inReach, applicationWhence } from './direct-key.ts';
import { doorForCall, logIn, noteUserEvent, notNow } from '../identity/index.ts';
import { id, instant, integer, listOf, oneOf, text, variants } from '../../../kernel/base/fields/kinds.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { makePending, usePending, type PendingLogin } from './pending-login.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startAuthorization } from './oauth/tokens.ts';
import type { DirectAuthApplication } from './secrets.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export const tokens = {
  access_token: text(),
  expires_in: integer().nullable().describe('Seconds.'),
  refresh_token: text(),
};

const pendingLogin = {
  object: oneOf(['pending_login']),
  id: text({ max: 36 }).describe('A UUID. Send it to `POST /auth/two_factor/start_verification`.'),
  created_at: instant(),
  user: id(),
  two_factor_required_providers: listOf(id()).describe(
    'Businesses that the application has access to, where the person works, and that require a second factor of their staff.',
  ),
};

export const password_login = outside({
  path: '/auth/password_login',
  belongsTo: 'installation',
  dryRun: 'Each password that you send counts as an attempt, and the tokens in the response work immediately.',
  summary: 'Log in a person with their password',
  description: `For applications that the operator approved for direct authentication. Returns tokens, or a \`pending_login\` if a second factor is needed: start a verification for it, verify it, and log in again with the \`verification_key\`.

An unknown user, a wrong password and a wrong verification key get the same 401. A wrong \`direct_auth_key\` gets 403. Too many wrong attempts get 429 with \`Retry-After\`.`,
  who: EVERYONE,
  body: {
    username: text({ max: 254 }).describe("The person's email address."),
    password: text({ max: 1000, verbatim: true }),
    direct_auth_key,
    verification_key: text({ max: 32 }).nullable().optional(),
  },
  returns: answer(variants({ GetAccessTokenSuccess: tokens, PendingLogin: pendingLogin })),
  run: async ({ db, now, body, ip, installation, registry, transact }) => {
    const application = await applicationBy(db, body.direct_auth_key, now);
    const whence = applicationWhence(application, ip);
    const entered = await logIn(
      doorForCall({ db, installation, registry, now }),
      { email: body.username, password: body.password },
      whence,
    );
    if (entered.outcome === 'wait' || entered.outcome === 'busy') throw notNow(entered);
    if (entered.outcome === 'refused') throw refusedLogIn();
    const { userId } = entered;
    return transact(async ({ tx }) => {
      const demanding = await demandingSecondFactor(tx, application, userId);
      const needed = entered.outcome === 'second_factor' || demanding.length > 0;
      if (needed && !body.verification_key)
        return printPending(await makePending(tx, application, userId, now), demanding);
      if (needed && !(await usePending(tx, application, { userId, key: body.verification_key!, now })))
        throw refusedLogIn();
      // A log-in that needed no second factor was recorded with the password.
      if (entered.outcome === 'second_factor') await noteUserEvent(tx, userId, 'log_in', whence, now);
      const { providerId, id: applicationId, scopes } = application;
      const { authorizationId: _, ...given } = await startAuthorization(tx, installation, now, {
        providerId,
        applicationId,
        userId,
        scopes,
        secondFactor: needed,
      });
      return given;
    });
  },
});

/** Returns the same text for everything that may be wrong, so that nobody learns who has an account. */
const refusedLogIn = (): Problem =>
  new Problem('authentication_failed', 'The user name or the password is wrong, or the verification has ended.');

/** Returns the businesses in reach where the person works, and that require a second factor of their staff. */
async function demandingSecondFactor(
  tx: Transaction,
  application: DirectAuthApplication,
  userId: number,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT p.provider_id AS id FROM staff s JOIN provider p ON p.provider_id = s.provider_id
        WHERE s.user_id = ${userId} AND NOT s.archived AND p.second_factor_required
          AND ${inReach(application, 'p.provider_id')} ORDER BY 1`,
  );
  return rows.map((row) => row.id);
}

const printPending = ({ id: pendingId, createdAt, userId }: PendingLogin, demanding: readonly number[]) => ({
  object: 'pending_login',
  id: pendingId,
  created_at: new Date(createdAt).toISOString().replace(/\.\d+Z$/, '+00:00'),
  user: userId,
  two_factor_required_providers: demanding,
});
