/** Accounts of people whom the operator vouches for: their address counts as confirmed. */
import { addAccount, type SignUp } from './sign-up.ts';
import { bringAddress } from '../elsewhere.ts';
import { faultOf } from '../passwords/password-policy.ts';
import { inTurn } from '../passwords/prove-password.ts';
import { normalPassword } from '../rules/password.ts';
import { noteUserEvent } from './events.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';
import type { NotTaken } from './answers.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** An account that only has to be inserted. */
interface Vouched {
  readonly outcome: 'ready';
  /** inserts it in a transaction across tenants; null: the address has an account */
  readonly make: (tx: Transaction) => Promise<number | null>;
}

/** Checks the password and hashes it, outside of any transaction. `about`: words that it must not consist of. */
export async function readyVouched(
  door: AccountDoor,
  given: Omit<SignUp, 'returnTo'>,
  about: readonly string[],
  whence: Whence,
): Promise<Vouched | NotTaken | NotNow> {
  const { email, password, firstName, lastName } = given;
  const fault = await faultOf(door, password, [email, firstName, lastName, ...about]);
  if (fault) return { outcome: 'password', fault };
  await bringAddress(door, email);
  return inTurn(async () => {
    const hash = await door.hasher.hash(normalPassword(password));
    const now = door.now();
    const make = async (tx: Transaction): Promise<number | null> => {
      const id = await addAccount(tx, given, hash, true, now);
      if (id !== null) await noteUserEvent(tx, id, 'signed_up', whence, now);
      return id;
    };
    return { outcome: 'ready', make } as const;
  });
}
