/** Whether a password is an account's: counted, judged outside of any transaction, and told alike whatever was wrong. */
import { addressKey, blockedUntil, countAttempt, forgetAttempts, ON_ACCOUNT, ON_ADDRESS, secondsUntil, throttleKey } from './throttle.ts';
import { emailKey } from './rules/email-key.ts';
import { eventInsert } from './events.ts';
import { normalPassword } from './rules/password.ts';
import { sql } from '../../kernel/db/sql.ts';
import { TooManyPasswords } from './password-hash.ts';
import type { AccountDoor, NotNow, Whence } from './door.ts';

export interface Proven {
  readonly id: number;
  readonly secondFactor: boolean;
}

export type Proof = { readonly outcome: 'right'; readonly user: Proven } | { readonly outcome: 'refused' } | NotNow;

interface Row {
  id: number;
  password_hash: string | null;
  disabled: boolean;
  second_factor: boolean;
}

/** Longer ones are never set; hashing what is sent anyway would cost the more, the longer it is. */
const LONGEST_TRIED = 1000;

/** Runs what hashes passwords; too many at once is an answer, not an error. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T | { outcome: 'busy' }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyPasswords) return { outcome: 'busy' };
    throw error;
  }
}

/**
 * By `email`: somebody who is not logged in. By `userId`: somebody who is, and is slowed down apart, so that strangers who
 * guess do not stand in the way.
 */
export function provePassword(door: AccountDoor, who: { email: string } | { userId: number }, password: string, whence: Whence): Promise<Proof> {
  return inTurn(async () => {
    const { db, box, now } = door;
    const at = now();
    const outside = 'email' in who;
    const account = outside ? throttleKey(box, 'log_in', emailKey(who.email)) : throttleKey(box, 'password', who.userId);
    const address = addressKey(box, 'log_in', whence.address);
    const [[counted], [{ until }], [row]] = await db.acrossTenants('an account is looked up before a business is known', (tx) =>
      tx.all([
        countAttempt(account, ON_ACCOUNT, at, address),
        blockedUntil([account, address]),
        sql`SELECT id, password_hash, disabled_at IS NOT NULL AS disabled, totp_confirmed_at IS NOT NULL AS second_factor
            FROM user_account WHERE ${outside ? sql`email_key = ${emailKey(who.email)}` : sql`id = ${who.userId}`}`,
      ]),
    );
    if (!counted) return { outcome: 'wait', seconds: secondsUntil(until, at) };
    const user = row as Row | undefined;
    const tried = password.length > LONGEST_TRIED ? '' : normalPassword(password);
    const { right, outdated } = await door.hasher.verify(tried, user?.password_hash ?? null);
    if (!right || user!.disabled) {
      // The same two statements for an account that is there and one that is not. One line for each burst is enough.
      const firstPause = counted.failures === ON_ACCOUNT.free + 1;
      await db.acrossTenants('a wrong password is counted', (tx) =>
        tx.all([countAttempt(address, ON_ADDRESS, at), eventInsert(user?.id ?? 0, 'log_in_failed', whence, at, sql`${firstPause}`)]),
      );
      return { outcome: 'refused' };
    }
    const renewed = outdated ? await door.hasher.hash(tried) : null;
    await db.acrossTenants('a right password ends the pauses', (tx) =>
      tx.all([
        forgetAttempts(account),
        // Only where nobody changed it meanwhile.
        ...(renewed ? [sql`UPDATE user_account SET password_hash = ${renewed} WHERE id = ${user!.id} AND password_hash = ${user!.password_hash}`] : []),
      ]),
    );
    return { outcome: 'right', user: { id: user!.id, secondFactor: user!.second_factor } };
  });
}
