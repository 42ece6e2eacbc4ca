/**
 * The second factor of a log-in by password. Text messages are not sent: with an authenticator the code is that of the
 * authenticator, without one it is mailed to the address of the account. The telephone number is how the client names its
 * verification; nothing is ever sent to it.
 */
import { action, answer, EVERYONE } from '../../kernel/api/endpoint.ts';
import { applicationBy, direct_auth_key, notNow, reaches } from './direct-key.ts';
import { boolean, id, instant, text } from '../../kernel/api/kinds.ts';
import { doorOf, forgetAttempts, ON_ACCOUNT, readAccount, takeAttempt, takeCode, throttleKey, type AccountDoor, type ThrottlePolicy } from '../identity/index.ts';
import { formatInstant } from '../../kernel/values/zone.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { isMailedCode, LASTS_MS, startPending, takeAttempts, verifyPending, type Candidate } from './pending-login.ts';
import { sql } from '../../kernel/db/sql.ts';
import { verificationMail } from './verification-mail.ts';
import type { Transaction } from '../../kernel/db/database.ts';

/** So many codes an hour reach one mailbox. */
const ON_MAILS: ThrottlePolicy = { free: 5, forgottenMs: 3_600_000 };

const isTrue = boolean().describe('Always true.');
const phone_number = text({ max: 20 }).describe('How the verification is named; nothing is sent to it.');

/** As people write it, of which the digits count. */
function digitsOf(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  if (!/^\+?[\d ()./-]+$/.test(phone) || digits.length < 5) throw invalid('phone_number', 'Must be a telephone number, as +1 416 555 0199.');
  return digits;
}

const requirements = action({
  method: 'GET',
  path: '/auth/two_factor/requirements',
  belongsTo: 'installation',
  summary: 'Say what a business demands besides a password',
  who: EVERYONE,
  query: { provider: id() },
  returns: answer({
    is_sms_enabled: boolean().describe('Always false: no text messages are sent.'),
    is_2fa_required_for_registration: boolean().describe('Always false: the address is confirmed by mail instead.'),
    is_2fa_required_for_login: boolean().describe('Of its staff; whoever has switched on a second factor needs it in any case.'),
  }),
  run: async ({ work, query }) => {
    const row = await work.tx.one<{ required: boolean }>(sql`SELECT second_factor_required AS required FROM provider WHERE provider_id = ${query.provider}`);
    if (!row) throw invalid('provider', `There is no business with the id ${query.provider}.`);
    return { is_sms_enabled: false, is_2fa_required_for_registration: false, is_2fa_required_for_login: row.required };
  },
});

const start_verification = action({
  path: '/auth/two_factor/start_verification',
  belongsTo: 'installation',
  dryRun: 'Each start counts towards the limit of the log-in, and a code may be sent.',
  summary: 'Start the verification of a log-in that waits',
  description: 'The code is the one that the authenticator of the person shows; who has none gets it by mail. The answer is the same for both. Three starts at most, five wrong codes.',
  who: EVERYONE,
  body: {
    phone_number,
    provider: id(),
    direct_auth_key,
    pending_login: text({ max: 36 }).nullable().optional().describe('The `id` of the log-in that waits.'),
  },
  returns: answer({ success: isTrue, message: text(), expires_at: instant() }),
  outside: async ({ db, now, body, installation, transact }) => {
    const application = await applicationBy(db, body.direct_auth_key, now);
    const digits = digitsOf(body.phone_number);
    if (!reaches(application, body.provider)) throw invalid('provider', 'The application does not reach this business.');
    if (!body.pending_login) throw invalid('pending_login', 'Name the log-in that waits: text messages are not sent, so nothing else can be verified.');
    const door = doorOf(installation);
    const blocked = await transact(async ({ tx }) => {
      const pending = isUuid(body.pending_login!) ? await startPending(tx, installation.box, application, { id: body.pending_login!, digits, now }) : null;
      if (!pending) throw invalid('pending_login', 'This log-in does not wait, or was started too often: log in again with the password.');
      if ((await readAccount(tx, pending.userId))?.secondFactor) return null;
      const wait = await takeAttempt(tx, throttleKey(door.box, 'verification mail', pending.userId), ON_MAILS, now);
      if (!wait) await verificationMail(tx, pending, now);
      return wait;
    });
    if (blocked) throw notNow(blocked);
    return {
      success: true,
      message: 'Enter the code that your authenticator shows, or the one that was mailed to you.',
      expires_at: formatInstant(now + LASTS_MS, 'UTC'),
    };
  },
});

const verify = action({
  path: '/auth/two_factor/verify',
  belongsTo: 'installation',
  dryRun: 'Each code that you send counts as an attempt.',
  summary: 'Verify a log-in that waits',
  description: 'A recovery code is longer than this takes: who has lost the authenticator logs in on the pages of the business. An unknown number and a wrong code are refused alike.',
  who: EVERYONE,
  body: { phone_number, verification_code: text({ max: 6 }) },
  returns: answer({ success: isTrue, message: text(), verification_key: text({ max: 32 }).describe('For `POST /auth/password_login`, once, within ten minutes.') }),
  outside: async ({ now, body, ip, installation, transact }) => {
    const digits = digitsOf(body.phone_number);
    const door = doorOf(installation);
    // The attempts are kept whatever comes of it, so the refusal is thrown when they are.
    const key = await transact(async ({ tx }) => {
      for (const candidate of await takeAttempts(tx, door.box, digits, now)) {
        if (await isRight(tx, door, candidate, { code: body.verification_code, ip })) return verifyPending(tx, candidate.id, now);
      }
      return null;
    });
    if (key === null) throw invalid('verification_code', 'The code is wrong, or works no longer.');
    return { success: true, message: 'Log in again with the verification key.', verification_key: key };
  },
});

async function isRight(tx: Transaction, door: AccountDoor, candidate: Candidate, { code, ip }: { code: string; ip: string }): Promise<boolean> {
  const { userId, providerId } = candidate;
  const account = await readAccount(tx, userId);
  if (!account || account.disabledAt !== null) return false;
  if (account.secondFactor) return (await takeCode(tx, door, userId, code, { address: ip, agent: '', providerId })).outcome === 'accepted';
  // Counted under the same name as the codes of an authenticator: changing the kind of code gives no further guesses.
  const key = throttleKey(door.box, 'second_factor', userId);
  if (await takeAttempt(tx, key, ON_ACCOUNT, door.now())) return false;
  if (!isMailedCode(door.box, candidate, code)) return false;
  await tx.run(forgetAttempts(key));
  return true;
}

const isUuid = (given: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);

export const twoFactor = [requirements, start_verification, verify];
