/**
 * Actions of the operator on an account, for a person who asks for help or one who must be kept out. Each action is in
 * the account's own history, as the operator's. Needs a transaction across tenants throughout.
 */
import { accountMail, enqueueMail } from '../mail/account-mail.ts';
import { disableAccount, enableAccount, endAccess, type Account } from './account.ts';
import { eventInsert } from './events.ts';
import { listSessions } from '../log-in/sessions.ts';
import { speakerFor } from '../mail/speaker.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { takeAwaySecondFactor } from '../log-in/second-factor.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface AccountOverview {
  readonly profiles: readonly {
    readonly kind: 'staff' | 'customer';
    readonly id: number;
    readonly providerId: number;
    readonly provider: string;
    /** archived, or deleted */
    readonly gone: boolean;
  }[];
  /** number of active ones */
  readonly sessions: number;
  /** null: none within the time for which events are kept */
  readonly lastLogInAt: number | null;
}

/** Returns an overview of the account, without any secrets. */
export async function overviewOf(tx: Transaction, { id }: Account, now: number): Promise<AccountOverview> {
  const profiles = await tx.rows<AccountOverview['profiles'][number]>(
    sql`SELECT x.kind, x.id, x.provider_id AS "providerId", p.name AS provider, x.gone FROM profile x
      JOIN provider p ON p.provider_id = x.provider_id
        WHERE x.user_id = ${id} ORDER BY x.provider_id, x.kind DESC, x.id`,
  );
  const sessions = await listSessions(tx, id, now);
  const last = await tx.one<{ at: number | null }>(
    sql`SELECT max(at) AS at FROM user_event WHERE user_id = ${id} AND kind = 'log_in'`,
  );
  return { profiles, sessions: sessions.length, lastLogInAt: last!.at };
}

const noteOperator = (tx: Transaction, userId: number, kind: string, now: number): Promise<number> =>
  tx.run(eventInsert(userId, `operator_${kind}`, null, now));

export async function disableByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await disableAccount(tx, userId, now);
  await noteOperator(tx, userId, 'disabled', now);
}

/** Enables the account. Access that ended with it remains ended: its person logs in again. */
export async function enableByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await enableAccount(tx, userId);
  await noteOperator(tx, userId, 'enabled', now);
}

export async function endAccessByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await endAccess(tx, userId, now);
  await noteOperator(tx, userId, 'ended_access', now);
}

/**
 * Removes the second factor: afterwards, the password alone is enough. Access that the second factor granted ends, and
 * the person is notified by email.
 */
export async function removeSecondFactorByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await takeAwaySecondFactor(tx, userId);
  await endAccess(tx, userId, now);
  await noteOperator(tx, userId, 'removed_second_factor', now);
  const speaker = await speakerFor(tx, userId);
  if (speaker !== null)
    await enqueueMail(tx, accountMail({ kind: 'second_factor_off', user: userId }, { providerId: speaker }));
}

/** Emails the link that the person could request themselves, on behalf of this business. */
export async function sendPasswordLinkByOperator(
  tx: Transaction,
  { id, email }: Account,
  providerId: number,
  now: number,
): Promise<void> {
  await enqueueMail(tx, accountMail({ kind: 'reset_password', email }, { providerId }));
  await noteOperator(tx, id, 'sent_password_link', now);
}
