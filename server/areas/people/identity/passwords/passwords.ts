/** Changes a password, with the previous one or by an emailed link. */
import type { Gone, NotTaken } from '../accounts/answers.ts';
import { accountMail, enqueueMail, mailTo } from '../mail/account-mail.ts';
import { addressKey, forgetAttempts, ON_REQUEST, placeKey, takeAttempt, throttleKey } from '../log-in/throttle.ts';
import { anyBusiness } from '../mail/speaker.ts';
import { businessName } from '../business.ts';
import { emailKey } from '../rules/email-key.ts';
import { endOtherSessions, type Session } from '../log-in/sessions.ts';
import { endTickets, readTicket, useTicket } from '../tokens/tickets.ts';
import { findAccount, readAccount, type Account } from '../accounts/account.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { renewSession } from '../log-in/any-session.ts';
import { takeAwaySecondFactor } from '../log-in/second-factor.ts';
import { inTurn, provePassword } from './prove-password.ts';
import { proveByToken, type ProvenByToken, type Proving } from './prove-by-token.ts';
import { normalPassword } from '../rules/password.ts';
import { noteUserEvent } from '../accounts/events.ts';
import { faultOf } from './password-policy.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export const aboutPerson = async (
  door: AccountDoor,
  { email, firstName, lastName }: Pick<Account, 'email' | 'firstName' | 'lastName'>,
  providerId: number | null,
): Promise<string[]> => [email, firstName, lastName, await businessName(door.db, providerId)];

/** Sets the password, and ends what was started with the old one: other sessions, and pending links. */
async function setPassword(
  tx: Transaction,
  userId: number,
  hash: string,
  keep: number | null,
  whence: Whence,
  now: number,
): Promise<void> {
  await tx.run(
    sql`UPDATE user_account SET password_hash = ${hash}, password_changed_at = ${instant(now)} WHERE id = ${userId}`,
  );
  await endOtherSessions(tx, userId, keep);
  await endTickets(
    tx,
    userId,
    ['reset_password', 'log_in_link', 'pending_log_in', 'change_email', 'verification_code'],
    now,
  );
  await noteUserEvent(tx, userId, 'password_changed', whence, now);
  await mailTo(tx, { kind: 'password_changed', user: userId }, whence);
}

/** Changes the password and ends every other session; this one continues under a new token. */
export async function changePassword(
  door: AccountDoor,
  session: Session,
  given: { current: string; next: string },
  whence: Whence,
): Promise<{ outcome: 'accepted'; token: string } | { outcome: 'refused' } | NotTaken | NotNow> {
  const proof = await provePassword(door, { userId: session.userId }, given.current, whence);
  if (proof.outcome !== 'right') return proof;
  const account = await door.db.acrossTenants('a person changes the password', (tx) => readAccount(tx, session.userId));
  const fault = await faultOf(door, given.next, await aboutPerson(door, account!, whence.providerId));
  if (fault) return { outcome: 'password', fault };
  return inTurn(async () => {
    const hash = await door.hasher.hash(normalPassword(given.next));
    const now = door.now();
    return door.changing('a person changes the password', async (tx) => {
      const renewed = await renewSession(tx, door.cells, session, { authenticatedAt: now }, whence);
      if (renewed === null) return { outcome: 'refused' } as const;
      await setPassword(tx, session.userId, hash, renewed.id, whence, now);
      return { outcome: 'accepted', token: renewed.token } as const;
    });
  });
}

/**
 * Changes the password for a caller with a token instead of a session, and ends all sessions and tokens, that of the
 * caller included.
 */
export async function changePasswordByToken(
  door: AccountDoor,
  { next, ...given }: Proving & { readonly next: string },
  whence: Whence,
): Promise<ProvenByToken | NotTaken> {
  const { userId } = given;
  const account = await door.db.acrossTenants('a person changes the password', (tx) => readAccount(tx, userId));
  const proof = await proveByToken(door, given, whence);
  if (proof.outcome !== 'accepted') return proof;
  const fault = await faultOf(door, next, await aboutPerson(door, account!, whence.providerId));
  if (fault) return { outcome: 'password', fault };
  return inTurn(async () => {
    const hash = await door.hasher.hash(normalPassword(next));
    await door.changing('a person changes the password', (tx) =>
      setPassword(tx, userId, hash, null, whence, door.now()),
    );
    return { outcome: 'accepted' } as const;
  });
}

/**
 * Always responds in the same way and in the same time: only the job that sends the email finds out if the account
 * exists.
 */
export async function askToResetPassword(
  door: AccountDoor,
  email: string,
  whence: Whence,
  returnTo?: string,
): Promise<{ outcome: 'accepted' } | NotNow> {
  const now = door.now();
  return door.db.acrossTenants('somebody asks for a link to reset a password', async (tx) => {
    const blocked = await takeAttempt(tx, addressKey(door.box, 'mail', whence.address), ON_REQUEST, now);
    if (blocked) return blocked;
    const speaker = whence.providerId ?? (await anyBusiness(tx));
    const kind = whence.providerId === null ? 'reset_password_anywhere' : 'reset_password';
    if (speaker !== null)
      await enqueueMail(tx, accountMail({ kind, email, returnTo }, { ...whence, providerId: speaker }));
    return { outcome: 'accepted' };
  });
}

/** Sets a new password and ends all sessions. The link came by email, so it confirms the address. */
export async function resetPassword(
  door: AccountDoor,
  given: { ticket: string; password: string },
  whence: Whence,
): Promise<{ outcome: 'accepted'; userId: number } | NotTaken | Gone | NotNow> {
  const kinds = ['reset_password'] as const;
  const account = await door.db.acrossTenants('a link to reset a password names its account', async (tx) => {
    const ticket = await readTicket(tx, given.ticket, kinds, door.now());
    return ticket && holder(await readAccount(tx, ticket.userId!), ticket.email);
  });
  if (!account) return { outcome: 'gone' };
  const fault = await faultOf(door, given.password, await aboutPerson(door, account, whence.providerId));
  if (fault) return { outcome: 'password', fault };
  return inTurn(async () => {
    const hash = await door.hasher.hash(normalPassword(given.password));
    const now = door.now();
    return door.changing('a person resets the password', async (tx) => {
      const ticket = await useTicket(tx, given.ticket, kinds, now);
      const current = ticket && holder(await findAccount(tx, emailKey(ticket.email)), ticket.email);
      if (!ticket || current?.id !== ticket.userId) return { outcome: 'gone' } as const;
      await setPassword(tx, current.id, hash, null, whence, now);
      // The address was unconfirmed, so the second factor may be a stranger's: it was imported with the password.
      if (current.emailConfirmedAt === null) await takeAwaySecondFactor(tx, current.id);
      await tx.run(
        sql`UPDATE user_account SET email_confirmed_at = coalesce(email_confirmed_at, ${instant(now)})
          WHERE id = ${current.id}`,
      );
      // The person who reads the email does not have to wait because of strangers' guesses.
      const whom = emailKey(ticket.email);
      await tx.all([
        forgetAttempts(placeKey(door.box, 'log_in', whom, whence.address)),
        forgetAttempts(throttleKey(door.box, 'log_in', whom)),
      ]);
      return { outcome: 'accepted', userId: current.id } as const;
    });
  });
}

/** Returns the account if it still has the address that the link was sent to, and is not disabled. */
export const holder = (account: Account | null, sentTo: string): Account | null =>
  account && account.disabledAt === null && emailKey(account.email) === emailKey(sentTo) ? account : null;
