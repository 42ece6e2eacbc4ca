/**
 * Logs people in by a code sent to their email address, whether they have an account or not: a new address gets one
 * once the code proves that it is theirs. The code replaces the password, never the second factor. A password can be
 * set later.
 */
import { accountMail, enqueueMail } from '../mail/account-mail.ts';
import { addAccount } from '../accounts/sign-up.ts';
import { addressKey, ON_REQUEST, takeAttempt, throttleKey, type ThrottlePolicy } from './throttle.ts';
import { afterProof, type LogIn } from './log-in.ts';
import { awaitCode, enterCode, hashOfBrowser, useCode } from '../accounts/sign-up-code.ts';
import { bringAddress } from '../elsewhere.ts';
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { emailKey } from '../rules/email-key.ts';
import { endAccess, findAccount, type Account } from '../accounts/account.ts';
import { endTickets } from '../tokens/tickets.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { noteUserEvent } from '../accounts/events.ts';
import { takeAwaySecondFactor } from './second-factor.ts';
import type { AccountDoor, AtBusiness, NotNow } from '../door.ts';
import type { Gone } from '../accounts/answers.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** Codes for one address, which also bounds how often one can be guessed. */
const TO_MAILBOX: ThrottlePolicy = { free: 10, forgottenMs: 3_600_000 };

/**
 * Sends a code to the address, to be entered in this browser (see `Visit.browser`). Always responds in the same way and
 * in the same time, whether or not the address has an account.
 */
export function askForLogInCode(
  door: AccountDoor,
  { email, browser }: { readonly email: string; readonly browser: string },
  whence: AtBusiness,
): Promise<{ outcome: 'accepted' } | NotNow> {
  return door.db.acrossTenants('somebody asks for a code to log in', async (tx) => {
    const now = door.now();
    const blocked =
      (await takeAttempt(tx, addressKey(door.box, 'mail', whence.address), ON_REQUEST, now)) ??
      (await takeAttempt(tx, throttleKey(door.box, 'log_in_code', emailKey(email)), TO_MAILBOX, now));
    if (blocked) return blocked;
    const code = await awaitCode(tx, { browser, email: canonicalAddress(email) }, now);
    await enqueueMail(tx, accountMail({ kind: 'log_in_code', email, code }, whence));
    return { outcome: 'accepted' };
  });
}

/** Returns the address that this browser waits for a code for; null: it asked for none, or the code has expired. */
export const awaitedAddress = ({ db, now }: AccountDoor, browser: string): Promise<string | null> =>
  db.acrossTenants('a browser waits for a code before a business is known', async (tx) => {
    const row = await tx.one<{ email: string }>(
      sql`SELECT email FROM sign_up_code WHERE secret_hash = ${hashOfBrowser('log-in', browser)} AND used_at IS NULL
        AND expires_at > ${instant(now())}`,
    );
    return row?.email ?? null;
  });

/** Accepts the code in the browser that asked for it, see `enterCode`. `gone` also for disabled accounts. */
export async function logInByCode(
  door: AccountDoor,
  { browser, code }: { readonly browser: string; readonly code: string },
  whence: AtBusiness,
): Promise<LogIn | Gone> {
  const awaited = await awaitedAddress(door, browser);
  if (awaited !== null) await bringAddress(door, awaited);
  return door.changing('a person logs in by a code', async (tx) => {
    const now = door.now();
    const entered = await enterCode(tx, door, { purpose: 'log-in', browser, code });
    if (entered.outcome !== 'right') return entered;
    await useCode(tx, entered, now);
    const email = entered.email!;
    const made = await addAccount(tx, { email, firstName: '', lastName: '' }, null, true, now);
    if (made !== null) {
      await noteUserEvent(tx, made, 'signed_up', whence, now);
      return afterProof(tx, door, { id: made, secondFactor: false }, whence, null);
    }
    const account = (await findAccount(tx, emailKey(email)))!;
    if (account.disabledAt !== null || !(await isLetIn(tx, account, entered.createdAt))) return { outcome: 'gone' };
    if (account.emailConfirmedAt === null) await takeOver(tx, account, now);
    const secondFactor = account.secondFactor && account.emailConfirmedAt !== null;
    return afterProof(tx, door, { id: account.id, secondFactor }, whence, null);
  });
}

/** Returns false if the access to the account was ended after the code was requested. */
const isLetIn = async (tx: Transaction, { id }: Account, since: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT FROM user_account u WHERE u.id = ${id}
      AND coalesce(u.access_ended_at, '-infinity') <= ${instant(since)}`,
  )) !== undefined;

/**
 * Confirms the address, and removes everything that somebody else may have entered with it before: name, password, and
 * second factor. Passkeys need a confirmed address.
 */
async function takeOver(tx: Transaction, { id }: Account, now: number): Promise<void> {
  await endAccess(tx, id, now);
  await endTickets(tx, id, ['confirm_email', 'reset_password', 'change_email'], now);
  await takeAwaySecondFactor(tx, id);
  await tx.run(
    sql`UPDATE user_account SET email_confirmed_at = ${instant(now)}, password_hash = NULL,
      password_changed_at = ${instant(now)}, first_name = '', last_name = '' WHERE id = ${id}`,
  );
}
