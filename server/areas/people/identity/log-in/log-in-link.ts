/**
 * Logs people in by an emailed link, at businesses that offer it. The email replaces the password, never the second
 * factor.
 */
import { accountMail, enqueueMail } from '../mail/account-mail.ts';
import { addressKey, ON_REQUEST, takeAttempt } from './throttle.ts';
import { afterProof, type LogIn } from './log-in.ts';
import { holder } from '../passwords/passwords.ts';
import type { Gone } from '../accounts/answers.ts';
import { readAccount } from '../accounts/account.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { useTicket } from '../tokens/tickets.ts';
import type { AccountDoor, AtBusiness, NotNow } from '../door.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const isOffered = async (tx: Transaction, providerId: number): Promise<boolean> =>
  (await tx.one(sql`SELECT FROM provider WHERE provider_id = ${providerId} AND log_in_links`)) !== undefined;

/**
 * Always responds in the same way and in the same time: only the job that sends the email finds out if the account
 * exists.
 */
export function askForLogInLink(
  door: AccountDoor,
  email: string,
  whence: AtBusiness,
  returnTo?: string,
): Promise<{ outcome: 'accepted' } | NotNow> {
  return door.db.acrossTenants('somebody asks for a link to log in', async (tx) => {
    const blocked = await takeAttempt(tx, addressKey(door.box, 'mail', whence.address), ON_REQUEST, door.now());
    if (blocked) return blocked;
    await enqueueMail(tx, accountMail({ kind: 'log_in_link', email, returnTo }, whence));
    return { outcome: 'accepted' };
  });
}

/** Uses the link up. `gone` also if the business no longer offers such links, or the account has another address. */
export function logInByLink(door: AccountDoor, ticket: string, whence: AtBusiness): Promise<LogIn | Gone> {
  return door.changing('a person logs in by a link', async (tx) => {
    const used = await useTicket(tx, ticket, ['log_in_link'], door.now());
    if (!used || used.providerId !== whence.providerId || !(await isOffered(tx, whence.providerId)))
      return { outcome: 'gone' };
    const account = holder(await readAccount(tx, used.userId!), used.email);
    if (!account || account.emailConfirmedAt === null) return { outcome: 'gone' };
    return afterProof(tx, door, { id: account.id, secondFactor: account.secondFactor }, whence, null);
  });
}
