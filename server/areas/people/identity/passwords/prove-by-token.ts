/**
 * Proves who a caller with a token is before an account changes: a token can be months old, so both the password and,
 * if the second factor is on, a code are needed.
 */
import { dropLostSecondFactor, takeCode } from '../log-in/second-factor.ts';
import { provePassword } from './prove-password.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';

export interface Proving {
  readonly userId: number;
  readonly password: string;
  /** code of the second factor, or a recovery code */
  readonly code?: string | null;
}

/** `refused`: the password is wrong. `no_code`: the second factor is on. `wrong_code`: the password is right. */
export type ProvenByToken =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused' | 'no_code' | 'wrong_code' }
  | NotNow;

export async function proveByToken(
  door: AccountDoor,
  { userId, password, code }: Proving,
  whence: Whence,
): Promise<ProvenByToken> {
  const proof = await provePassword(door, { userId }, password, whence);
  if (proof.outcome !== 'right') return proof;
  if (!proof.user.secondFactor) return { outcome: 'accepted' };
  return door.changing('a person proves who they are with a code', async (tx) => {
    if (await dropLostSecondFactor(tx, door, userId, whence)) return { outcome: 'accepted' };
    if (!code) return { outcome: 'no_code' };
    const taken = await takeCode(tx, door, userId, code, whence);
    return taken.outcome === 'refused' ? { outcome: 'wrong_code' } : taken;
  });
}
