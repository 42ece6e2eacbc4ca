/**
 * Changes the address of an account: the new address must confirm, and the old one can stop the change for a week, even
 * after it was made.
 */
import { accountMail, enqueueMail, mailTo } from '../mail/account-mail.ts';
import { bringWithin } from '../elsewhere.ts';
import { orUnavailable } from '../../../../kernel/work/unit/other-cells.ts';
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { emailKey } from '../rules/email-key.ts';
import { endOtherSessions, type Session } from '../log-in/sessions.ts';
import { endTickets, lockTicket, useTicket } from '../tokens/tickets.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { isMailAddress } from '../../../../kernel/base/mail/address.ts';
import { noteUserEvent } from './events.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { proveByToken, type ProvenByToken, type Proving } from '../passwords/prove-by-token.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';
import type { Gone } from './answers.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/**
 * Emails a link to the new address and a notice to the old one. Returns `accepted` even if another account has the
 * address: only the email to that address says so.
 * @throws Problem parameter_invalid if the address is malformed
 */
export async function askToChangeEmail(
  door: AccountDoor,
  session: Session,
  given: { email: string; password: string },
  whence: Whence,
): Promise<{ outcome: 'accepted' } | { outcome: 'refused' } | NotNow> {
  checkAddress(given.email);
  const proof = await provePassword(door, { userId: session.userId }, given.password, whence);
  if (proof.outcome !== 'right') return proof;
  await beginEmailChange(door, session.userId, given.email, whence);
  return { outcome: 'accepted' };
}

function checkAddress(email: string): void {
  if (!isMailAddress(email)) throw invalid('email', 'Must be an email address, for example ada@example.com.');
}

/** Emails the link and the notice, for a person who has proved who they are. */
async function beginEmailChange(door: AccountDoor, user: number, email: string, whence: Whence): Promise<void> {
  const now = door.now();
  await door.db.acrossTenants('a person asks to change the address', async (tx) => {
    await noteUserEvent(tx, user, 'email_change_asked', whence, now);
    await mailTo(tx, { kind: 'change_email', user, email }, whence);
    await mailTo(tx, { kind: 'email_change_asked', user, email }, whence);
  });
}

/**
 * Does the same for a caller with a token instead of a session, who also sends a code if the second factor is on.
 * @throws Problem parameter_invalid if the address is malformed
 */
export async function askToChangeEmailByToken(
  door: AccountDoor,
  { email, ...given }: Proving & { readonly email: string },
  whence: Whence,
): Promise<ProvenByToken> {
  checkAddress(email);
  const proof = await proveByToken(door, given, whence);
  if (proof.outcome === 'accepted') await beginEmailChange(door, given.userId, email, whence);
  return proof;
}

const freeAddress = async (tx: Transaction, door: AccountDoor, key: string, userId: number): Promise<boolean> => {
  await orUnavailable(bringWithin(tx, door, { email: key }, door.now()));
  return !(await tx.one(sql`SELECT FROM user_account WHERE email_key = ${key} AND id <> ${userId}`));
};

/** Changes the address of the account, and of the records of businesses that have the earlier one. */
async function setAddress(
  tx: Transaction,
  { registry }: AccountDoor,
  userId: number,
  email: string,
  now: number,
): Promise<boolean> {
  const before = await tx.one<{ email: string }>(
    sql`SELECT email FROM user_account WHERE id = ${userId} AND disabled_at IS NULL FOR UPDATE`,
  );
  if (!before) return false;
  const to = canonicalAddress(email);
  await tx.run(
    sql`UPDATE user_account SET email = ${to}, email_key = ${emailKey(email)},
      email_confirmed_at = ${instant(now)} WHERE id = ${userId}`,
  );
  await registry.changeAddress(tx, { userId, from: before.email, to, now });
  return true;
}

/**
 * Confirms the change, and ends all sessions but the one whose id is `keep`. `taken`: another account has the address
 * in the meantime.
 */
export function confirmEmailChange(
  door: AccountDoor,
  ticket: string,
  whence: Whence,
  keep: number | null = null,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'taken' } | Gone> {
  const now = door.now();
  return door.changing('a person follows the link to change the address', async (tx) => {
    const found = await useTicket(tx, ticket, ['change_email'], now);
    if (!found) return { outcome: 'gone' };
    const userId = found.userId!;
    if (!(await freeAddress(tx, door, emailKey(found.email), userId))) return { outcome: 'taken' };
    if (!(await setAddress(tx, door, userId, found.email, now))) return { outcome: 'gone' };
    // Links that were sent to the old address must not work for the new one.
    await endTickets(tx, userId, ['confirm_email', 'reset_password', 'log_in_link', 'change_email'], now);
    await endOtherSessions(tx, userId, keep);
    await noteUserEvent(tx, userId, 'email_changed', whence, now);
    return { outcome: 'accepted', userId };
  });
}

/**
 * Stops or reverts the change. The change required the password, so somebody else knows it: the account gets its old
 * address back, all sessions and links end, the password stops working, and a link to set another one is emailed.
 */
export function stopEmailChange(
  door: AccountDoor,
  ticket: string,
  whence: Whence,
): Promise<{ outcome: 'accepted' } | Gone> {
  const now = door.now();
  return door.changing('a person stops a change of the address', async (tx) => {
    const found = await lockTicket(tx, ticket, ['stop_email_change'], now);
    if (!found || !(await freeAddress(tx, door, emailKey(found.email), found.userId!))) return { outcome: 'gone' };
    const userId = found.userId!;
    if (!(await setAddress(tx, door, userId, found.email, now))) return { outcome: 'gone' };
    await tx.run(
      sql`UPDATE user_account SET password_hash = NULL, password_changed_at = ${instant(now)} WHERE id = ${userId}`,
    );
    await endOtherSessions(tx, userId, null);
    // An intruder may have created one.
    await tx.run(sql`DELETE FROM passkey WHERE user_id = ${userId}`);
    await endTickets(
      tx,
      userId,
      [
        'confirm_email',
        'reset_password',
        'log_in_link',
        'change_email',
        'stop_email_change',
        'pending_log_in',
        'verification_code',
      ],
      now,
    );
    await noteUserEvent(tx, userId, 'email_change_stopped', whence, now);
    await enqueueMail(
      tx,
      accountMail({ kind: 'reset_password', email: found.email }, { ...whence, providerId: found.providerId }),
    );
    return { outcome: 'accepted' };
  });
}
