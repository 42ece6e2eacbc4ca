/** Creates accounts, and confirms their addresses. */
import { aboutPerson, holder } from '../passwords/passwords.ts';
import type { Gone, NotTaken } from './answers.ts';
import { accountMail, enqueueMail } from '../mail/account-mail.ts';
import { addressKey, ON_REQUEST, takeAttempt } from '../log-in/throttle.ts';
import { awaitCode, codeIsFor } from './sign-up-code.ts';
import { bringAddress } from '../elsewhere.ts';
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { emailKey } from '../rules/email-key.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { inTurn, provePassword } from '../passwords/prove-password.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { isMailAddress } from '../../../../kernel/base/mail/address.ts';
import { normalPassword, type PasswordFault } from '../rules/password.ts';
import { noteUserEvent } from './events.ts';
import { readAccount } from './account.ts';
import { readTicket, useTicket } from '../tokens/tickets.ts';
import { faultOf } from '../passwords/password-policy.ts';
import type { AccountDoor, AtBusiness, NotNow } from '../door.ts';
import type { Session } from '../log-in/sessions.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  /** path of the page that the person came from; the email leads back to it */
  readonly returnTo?: string;
}

/** A sign-up in a browser, where the code of the email can be entered; see `Visit.browser`. */
interface SignUpInBrowser extends SignUp {
  readonly browser: string;
}

/**
 * Signs somebody up. Returns `accepted` whether or not the address has an account already, after the same work: only an
 * email says which. Signing up therefore logs nobody in.
 * @throws Problem parameter_invalid if the address is malformed
 */
export async function signUp(
  door: AccountDoor,
  given: SignUpInBrowser,
  whence: AtBusiness,
): Promise<{ outcome: 'accepted' } | NotTaken | NotNow> {
  const ready = await readyAccount(door, given, whence);
  if (ready.outcome !== 'ready') return ready;
  return door.changing('somebody signs up', async (tx) => {
    const code = await awaitCode(tx, { browser: given.browser }, door.now());
    const id = await ready.make(tx, code);
    await codeIsFor(tx, code, id);
    if (id === null)
      await enqueueMail(
        tx,
        accountMail({ kind: 'account_exists', email: given.email, returnTo: given.returnTo }, whence),
      );
    return { outcome: 'accepted' } as const;
  });
}

/** An account that only has to be inserted: the slow work is done. */
interface Ready {
  readonly outcome: 'ready';
  /**
   * inserts it in a transaction across tenants, and sends an email to confirm its address; null: the address has an
   * account. `code`: that of `awaitCode`, if the email should contain one
   */
  readonly make: (tx: Transaction, code?: string) => Promise<number | null>;
}

/**
 * Validates a sign-up and hashes the password, whether or not the address has an account.
 * @throws Problem parameter_invalid if the address is malformed
 */
export async function readyAccount(
  door: AccountDoor,
  given: SignUp,
  whence: AtBusiness,
): Promise<Ready | NotTaken | NotNow> {
  if (!isMailAddress(given.email)) throw invalid('email', 'Must be an email address, for example ada@example.com.');
  const now = door.now();
  const blocked = await door.db.acrossTenants('somebody signs up', (tx) =>
    takeAttempt(tx, addressKey(door.box, 'mail', whence.address), ON_REQUEST, now),
  );
  if (blocked) return blocked;
  await bringAddress(door, given.email);
  const fault = await faultOf(door, given.password, await aboutPerson(door, given, whence.providerId));
  if (fault) return { outcome: 'password', fault };
  return inTurn(async () => {
    const hash = await door.hasher.hash(normalPassword(given.password));
    const make = async (tx: Transaction, code?: string): Promise<number | null> => {
      const id = await addAccount(tx, given, hash, false, now);
      if (id === null) return null;
      await noteUserEvent(tx, id, 'signed_up', whence, now);
      await enqueueMail(tx, accountMail({ kind: 'confirm_email', user: id, returnTo: given.returnTo, code }, whence));
      return id;
    };
    return { outcome: 'ready', make } as const;
  });
}

/**
 * Returns why this person can't have this password; null if they can. Checked even if other fields of a form are wrong.
 */
export const againstPassword = async (
  door: AccountDoor,
  { password, ...person }: Omit<SignUp, 'returnTo'>,
  providerId: number,
): Promise<PasswordFault | null> => faultOf(door, password, await aboutPerson(door, person, providerId));

/** Inserts an account; null if the address has one. `hash`: null if the person has no password yet. */
export async function addAccount(
  tx: Transaction,
  { email, firstName, lastName }: Omit<SignUp, 'password'>,
  hash: string | null,
  confirmed: boolean,
  now: number,
): Promise<number | null> {
  const row = await tx.one<{ id: number }>(
    sql`
      INSERT INTO user_account (email, email_key, password_hash, first_name, last_name, created_at, email_confirmed_at)
        VALUES (${canonicalAddress(email)}, ${emailKey(email)}, ${hash}, ${firstName}, ${lastName}, ${instant(now)},
          ${confirmed ? instant(now) : null})
        ON CONFLICT (email_key) DO NOTHING RETURNING id`,
  );
  return row?.id ?? null;
}

/** Sends the link to confirm the address again. */
export const askToConfirmEmail = (tx: Transaction, userId: number, whence: AtBusiness): Promise<void> =>
  enqueueMail(tx, accountMail({ kind: 'confirm_email', user: userId }, whence));

/**
 * Confirms the address. Requires the link and a session of the account, or the link and the password. With the link
 * alone, somebody could sign up with another person's address and wait for its owner to confirm it.
 */
export async function confirmEmail(
  door: AccountDoor,
  given: { ticket: string; password?: string; session?: Session | null },
  whence: AtBusiness,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'refused' } | Gone | NotNow> {
  const kinds = ['confirm_email'] as const;
  const account = await door.db.acrossTenants('a link to confirm an address names its account', async (tx) => {
    const ticket = await readTicket(tx, given.ticket, kinds, door.now());
    return ticket && holder(await readAccount(tx, ticket.userId!), ticket.email);
  });
  if (!account) return { outcome: 'gone' };
  if (given.session?.userId !== account.id) {
    const proof = await provePassword(door, { email: account.email }, given.password ?? '', whence);
    if (proof.outcome !== 'right') return proof;
  }
  const now = door.now();
  return door.changing('a person confirms an address', async (tx) => {
    if (!(await useTicket(tx, given.ticket, kinds, now))) return { outcome: 'gone' };
    await tx.run(
      sql`UPDATE user_account SET email_confirmed_at = coalesce(email_confirmed_at, ${instant(now)})
        WHERE id = ${account.id}`,
    );
    await noteUserEvent(tx, account.id, 'email_confirmed', whence, now);
    return { outcome: 'accepted', userId: account.id };
  });
}
