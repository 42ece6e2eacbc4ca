/**
 * Checks passwords of accounts: attempts are counted, hashes are compared outside of any transaction, and all failures
 * look alike.
 */
import {
  addressKey,
  blockedUntil,
  countAttempt,
  forgetAttempts,
  isBlocked,
  isCounted,
  ON_ACCOUNT,
  ON_ACCOUNT_ANYWHERE,
  ON_ADDRESS,
  placeKey,
  secondsUntil,
  throttleKey,
  uncountAttempt,
} from '../log-in/throttle.ts';
import { bringAccount } from '../elsewhere.ts';
import { cellAway } from '../../../../kernel/work/unit/other-cells.ts';
import { emailKey } from '../rules/email-key.ts';
import { eventInsert, loggedInFrom } from '../accounts/events.ts';
import { normalPassword } from '../rules/password.ts';
import { sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { TooManyPasswords } from '../../../../kernel/base/passwords/password-hash.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';

export interface Proven {
  readonly id: number;
  readonly secondFactor: boolean;
}

type Proof = { readonly outcome: 'right'; readonly user: Proven } | { readonly outcome: 'refused' } | NotNow;

interface Row {
  id: number;
  password_hash: string | null;
  disabled: boolean;
  second_factor: boolean;
  /** the person has logged in from this network */
  at_home: boolean;
}

/** Longer passwords are never set; hashing them anyway would cost more the longer they are. */
const MAX_PASSWORD_LENGTH = 1000;

/** Runs a function that hashes passwords; `busy` is a result, not an error. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T | { outcome: 'busy' }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyPasswords) return { outcome: 'busy' };
    throw error;
  }
}

/**
 * Returns the account of the address once this cell is up to date with the others. They are asked whether the account
 * is here or not: both take equally long, and a password that was changed elsewhere while this cell was unreachable is
 * the one that counts.
 * @throws Problem `unavailable` if the account is not here, and a cell that may have it is unreachable
 */
async function lookEverywhere(door: AccountDoor, email: string, lookUp: Sql): Promise<Row | undefined> {
  const away = await bringAccount(door, { email });
  const row = await door.db.acrossTenants('an account is looked up before a business is known', (tx) =>
    tx.one<Row>(lookUp),
  );
  if (!row && away.length > 0) throw cellAway();
  return row;
}

/**
 * Checks a password. By `email`: for somebody who is not logged in. By `userId`: for somebody who is; their guesses are
 * counted separately. Guesses are counted by account and network together, so that a stranger who guesses doesn't lock
 * the owner out. Guesses from many networks are also counted together, and then delay everybody except people at a
 * network that they have logged in from before.
 */
export function provePassword(
  door: AccountDoor,
  who: { email: string } | { userId: number },
  password: string,
  whence: Whence,
): Promise<Proof> {
  return inTurn(async () => {
    const { db, box, now } = door;
    const at = now();
    const outside = 'email' in who;
    const [what, whom] = outside ? (['log_in', emailKey(who.email)] as const) : (['password', who.userId] as const);
    const here = placeKey(box, what, whom, whence.address);
    const anywhere = throttleKey(box, what, whom);
    const address = addressKey(box, 'log_in', whence.address);
    const account = outside ? sql`u.email_key = ${whom}` : sql`u.id = ${whom}`;
    const atHome = sql`EXISTS (SELECT FROM user_account u WHERE ${account} AND ${loggedInFrom('u', whence, at)})`;
    const lookUp = sql`SELECT u.id, u.password_hash, u.disabled_at IS NOT NULL AS disabled,
      u.totp_confirmed_at IS NOT NULL AS second_factor, ${atHome} AS at_home
            FROM user_account u WHERE ${account}`;
    const [[counted], [countedAnywhere], [{ until }], [row]] = await db.acrossTenants(
      'an account is looked up before a business is known',
      (tx) =>
        tx.all([
          countAttempt(
            here,
            ON_ACCOUNT,
            at,
            sql`NOT ${isBlocked(address, at)} AND (NOT ${isBlocked(anywhere, at)} OR ${atHome})`,
          ),
          countAttempt(anywhere, ON_ACCOUNT_ANYWHERE, at, isCounted(here, at)),
          blockedUntil([here, anywhere, address]),
          lookUp,
        ]),
    );
    // If many arrive together, those beyond the last free attempt find it blocked only now.
    if (!counted || !(countedAnywhere || (row as Row | undefined)?.at_home))
      return { outcome: 'wait', seconds: secondsUntil(until, at) };
    const user = outside && door.cells ? await lookEverywhere(door, whom as string, lookUp) : (row as Row | undefined);
    const preview = password.length > MAX_PASSWORD_LENGTH ? '' : normalPassword(password);
    const { right, outdated } = await door.hasher.verify(preview, user?.password_hash ?? null);
    if (!right || user!.disabled) {
      // Runs the same two statements for existing and unknown accounts. One history entry for each burst is enough.
      const firstPause =
        counted.failures === ON_ACCOUNT.free + 1 || countedAnywhere?.failures === ON_ACCOUNT_ANYWHERE.free + 1;
      await db.acrossTenants('a wrong password is counted', (tx) =>
        tx.all([
          countAttempt(address, ON_ADDRESS, at),
          eventInsert(user?.id ?? 0, 'log_in_failed', whence, at, sql`${firstPause}`),
        ]),
      );
      return { outcome: 'refused' };
    }
    const renewed = outdated ? await door.hasher.hash(preview) : null;
    await door.changing('a right password ends the pauses', (tx) =>
      tx.all([
        forgetAttempts(here),
        uncountAttempt(anywhere),
        // Only if nobody has changed it in the meantime.
        ...(renewed
          ? [
              sql`UPDATE user_account SET password_hash = ${renewed}
                WHERE id = ${user!.id} AND password_hash = ${user!.password_hash}`,
            ]
          : []),
      ]),
    );
    return { outcome: 'right', user: { id: user!.id, secondFactor: user!.second_factor } };
  });
}
