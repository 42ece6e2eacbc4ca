/** Logs people in: the password, then the second factor if the account has one. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import { issueTicket, lockTicket, useTicket } from '../tokens/tickets.ts';
import { noteUserEvent } from '../accounts/events.ts';
import { provePassword, type Proven } from '../passwords/prove-password.ts';
import { renewSession } from './any-session.ts';
import { speakerAt } from '../mail/speaker.ts';
import { dropLostSecondFactor, takeCode } from './second-factor.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';
import type { Session } from './sessions.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export type LogIn =
  | { readonly outcome: 'accepted'; readonly userId: number; readonly secondFactor: boolean }
  /**
   * the password was correct; `pending` (a secret, valid for ten minutes) is passed to finishLogIn together with a code
   */
  | {
      readonly outcome: 'second_factor';
      readonly userId: number;
      readonly pendingId: string;
      readonly pending: string;
      readonly createdAt: number;
    }
  /** unknown account, wrong password or code, disabled account: indistinguishable */
  | { readonly outcome: 'refused' }
  | NotNow;

/** Logs somebody in. `code`: a code of the second factor, or a recovery code, if it is already known. */
export async function logIn(
  door: AccountDoor,
  given: { email: string; password: string; code?: string | null },
  whence: Whence,
): Promise<LogIn> {
  const proof = await provePassword(door, { email: given.email }, given.password, whence);
  if (proof.outcome !== 'right') return proof;
  return door.changing('a person logs in', (tx) => afterProof(tx, door, proof.user, whence, given.code || null));
}

/** Continues after the password, or its replacement, with the second factor if the account has one. */
export async function afterProof(
  tx: Transaction,
  door: AccountDoor,
  user: Proven,
  whence: Whence,
  code: string | null,
): Promise<LogIn> {
  const now = door.now();
  const secondFactor = user.secondFactor && !(await dropLostSecondFactor(tx, door, user.id, whence));
  if (secondFactor && code === null) {
    const providerId = await speakerAt(tx, user.id, whence);
    // Without a business, there is nothing to log in to.
    if (providerId === null) return { outcome: 'refused' };
    const { secret, ticket } = await issueTicket(
      tx,
      { kind: 'pending_log_in', userId: user.id, providerId, email: '' },
      now,
    );
    return {
      outcome: 'second_factor',
      userId: user.id,
      pendingId: ticket.id,
      pending: secret,
      createdAt: ticket.createdAt,
    };
  }
  if (secondFactor) {
    const taken = await takeCode(tx, door, user.id, code!, whence);
    if (taken.outcome !== 'accepted') return taken;
  }
  await noteUserEvent(tx, user.id, 'log_in', whence, now);
  return { outcome: 'accepted', userId: user.id, secondFactor };
}

/** Finishes a pending log-in. `expired`: start over with the password. A wrong code leaves the log-in pending. */
export async function finishLogIn(
  door: AccountDoor,
  given: { pending: string; code: string },
  whence: Whence,
): Promise<LogIn | { readonly outcome: 'expired' }> {
  const now = door.now();
  return door.changing('a person finishes logging in', async (tx) => {
    const ticket = await lockTicket(tx, given.pending, ['pending_log_in'], now);
    const enabled =
      ticket &&
      (await tx.one(
        sql`SELECT FROM user_account WHERE id = ${ticket.userId} AND disabled_at IS NULL
          AND totp_confirmed_at IS NOT NULL`,
      ));
    if (!ticket || !enabled || (await dropLostSecondFactor(tx, door, ticket.userId!, whence)))
      return { outcome: 'expired' };
    const taken = await takeCode(tx, door, ticket.userId!, given.code, whence);
    if (taken.outcome !== 'accepted') return taken;
    await useTicket(tx, given.pending, ['pending_log_in'], now);
    await noteUserEvent(tx, ticket.userId!, 'log_in', whence, now);
    return { outcome: 'accepted', userId: ticket.userId!, secondFactor: true };
  });
}

/**
 * Checks the password again before something sensitive: the session then counts as fresh. The cookie's value changes.
 */
export async function reauthenticate(
  door: AccountDoor,
  session: Session,
  password: string,
  whence: Whence,
): Promise<{ outcome: 'accepted'; token: string } | { outcome: 'refused' } | NotNow> {
  const proof = await provePassword(door, { userId: session.userId }, password, whence);
  if (proof.outcome !== 'right') return proof;
  return door.db.acrossTenants('a person proves who it is once more', async (tx) => {
    const renewed = await renewSession(tx, door.cells, session, { authenticatedAt: door.now() }, whence);
    return renewed === null ? { outcome: 'refused' } : { outcome: 'accepted', token: renewed.token };
  });
}
