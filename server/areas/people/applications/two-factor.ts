/**
 * The second factor of a log-in by password. Text messages aren't sent: with an authenticator, the code is the
 * authenticator's; without one, it is emailed to the address of the account. The phone number only serves the client as
 * a name for its verification; nothing is ever sent to it.
 */
import { answer, EVERYONE, outside, read } from '../../../kernel/api/endpoint.ts';
import { applicationBy, direct_auth_key, reaches } from './direct-key.ts';
import { boolean, id, instant, text } from '../../../kernel/base/fields/kinds.ts';
import {
  doorForCall,
  forgetCodeAttempts,
  readAccount,
  takeAttempt,
  takeCode,
  takeCodeAttempt,
  throttleKey,
  type AccountDoor,
  type ThrottlePolicy,
  notNow,
} from '../identity/index.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { isMailedCode, TTL_MS, startPending, takeAttempts, verifyPending, type Candidate } from './pending-login.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { verificationMail } from './verification-mail.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Number of codes per hour that one mailbox receives. */
const ON_MAILS: ThrottlePolicy = { free: 5, forgottenMs: 3_600_000 };

const isTrue = boolean().describe('Always true.');
const phone_number = text({ max: 20 }).describe('Identifies the verification. Nothing is sent to this number.');

/** Returns the digits of a phone number; anything else in it is ignored. */
function digitsOf(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  if (!/^\+?[\d ()./-]+$/.test(phone) || digits.length < 5)
    throw invalid('phone_number', 'Must be a phone number, for example +1 416 555 0199.');
  return digits;
}

const requirements = read({
  path: '/auth/two_factor/requirements',
  belongsTo: 'installation',
  summary: 'Get the two-factor requirements of a business',
  who: EVERYONE,
  query: { provider: id() },
  returns: answer({
    is_sms_enabled: boolean().describe('Always false: no text messages are sent.'),
    is_2fa_required_for_registration: boolean().describe('Always false: the address is confirmed by email instead.'),
    is_2fa_required_for_login: boolean().describe(
      'Whether staff need a second factor. Anyone who has turned on a second factor always needs it.',
    ),
  }),
  run: async ({ work, query }) => {
    const row = await work.tx.one<{ required: boolean }>(
      sql`SELECT second_factor_required AS required FROM provider WHERE provider_id = ${query.provider}`,
    );
    if (!row) throw invalid('provider', `There is no business with the id ${query.provider}.`);
    return { is_sms_enabled: false, is_2fa_required_for_registration: false, is_2fa_required_for_login: row.required };
  },
});

const start_verification = outside({
  path: '/auth/two_factor/start_verification',
  belongsTo: 'installation',
  dryRun: 'Each start counts towards the limit of the log-in, and it may send a code.',
  summary: 'Start the verification of a pending log-in',
  description:
    'The person gets the code from their authenticator app, or by email if they have none. The response is the same for both. At most three starts and five wrong codes.',
  who: EVERYONE,
  body: {
    phone_number,
    provider: id(),
    direct_auth_key,
    pending_login: text({ max: 36 }).nullable().optional().describe('The `id` of the pending log-in.'),
  },
  returns: answer({ success: isTrue, message: text(), expires_at: instant() }),
  run: async ({ db, now, body, installation, registry, transact }) => {
    const application = await applicationBy(db, body.direct_auth_key, now);
    const digits = digitsOf(body.phone_number);
    if (!reaches(application, body.provider))
      throw invalid('provider', 'The application has no access to this business.');
    if (!body.pending_login)
      throw invalid(
        'pending_login',
        'Send the id of the pending log-in. Text messages are not sent, so nothing else can be verified.',
      );
    const door = doorForCall({ db, installation, registry, now });
    const blocked = await transact(async ({ tx }) => {
      const pending = isUuid(body.pending_login!)
        ? await startPending(tx, installation.box, application, { id: body.pending_login!, digits, now })
        : null;
      if (!pending)
        throw invalid(
          'pending_login',
          'This log-in is not pending, or its verification was started too often. Log in again with the password.',
        );
      if ((await readAccount(tx, pending.userId))?.secondFactor) return null;
      const wait = await takeAttempt(tx, throttleKey(door.box, 'verification mail', pending.userId), ON_MAILS, now);
      if (!wait) await verificationMail(tx, pending, now);
      return wait;
    });
    if (blocked) throw notNow(blocked);
    return {
      success: true,
      message: 'Enter the code from your authenticator app or from the email that we sent you.',
      expires_at: formatInstant(now + TTL_MS, 'UTC'),
    };
  },
});

const verify = outside({
  path: '/auth/two_factor/verify',
  belongsTo: 'installation',
  dryRun: 'Each code that you send counts as an attempt.',
  summary: 'Verify a pending log-in',
  description:
    'Recovery codes are too long for this operation. People who have lost their authenticator can log in on the pages of the business. An unknown number and a wrong code get the same refusal.',
  who: EVERYONE,
  body: { phone_number, verification_code: text({ max: 6 }) },
  returns: answer({
    success: isTrue,
    message: text(),
    verification_key: text({ max: 32 }).describe('For `POST /auth/password_login`, once, within ten minutes.'),
  }),
  run: async ({ db, now, body, ip, installation, registry, transact }) => {
    const digits = digitsOf(body.phone_number);
    const door = doorForCall({ db, installation, registry, now });
    // The attempts are committed whatever the outcome, so the refusal is thrown afterwards.
    const key = await transact(async ({ tx }) => {
      for (const candidate of await takeAttempts(tx, door.box, digits, now)) {
        if (await isRight(tx, door, candidate, { code: body.verification_code, ip }))
          return verifyPending(tx, candidate.id, now);
      }
      return null;
    });
    if (key === null) throw invalid('verification_code', 'The code is wrong or no longer works.');
    return { success: true, message: 'Log in again with the verification key.', verification_key: key };
  },
});

async function isRight(
  tx: Transaction,
  door: AccountDoor,
  candidate: Candidate,
  { code, ip }: { code: string; ip: string },
): Promise<boolean> {
  const { userId, providerId } = candidate;
  const account = await readAccount(tx, userId);
  if (!account || account.disabledAt !== null) return false;
  const whence = { address: ip, agent: '', providerId };
  if (account.secondFactor) return (await takeCode(tx, door, userId, code, whence)).outcome === 'accepted';
  // Counted under the same name as authenticator codes: switching the kind of code gives no further guesses.
  if (await takeCodeAttempt(tx, door, userId, whence)) return false;
  if (!isMailedCode(door.box, candidate, code)) return false;
  await forgetCodeAttempts(tx, door, userId, whence);
  return true;
}

const isUuid = (given: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);

export const twoFactor = [requirements, start_verification, verify];
