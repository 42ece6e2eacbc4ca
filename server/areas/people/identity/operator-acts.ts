/**
 * What the operator does about an account, for a person who asks for help or for one who must be kept out. Each act is
 * in the account's own history, as the operator's. All of it needs a transaction across tenants.
 */
import { accountMail, enqueueMail } from './account-mail.ts';
import { disableAccount, enableAccount, endAccess, type Account } from './account.ts';
import { eventInsert } from './events.ts';
import { listSessions } from './sessions.ts';
import { speakerFor } from './speaker.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { takeAwaySecondFactor } from './second-factor.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface AccountOverview {
  readonly profiles: readonly {
    readonly kind: 'staff' | 'customer';
    readonly id: number;
    readonly providerId: number;
    readonly provider: string;
    /** archived, or deleted */
    readonly gone: boolean;
  }[];
  /** those that live */
  readonly sessions: number;
  /** null: not as far as events are kept */
  readonly lastLogInAt: number | null;
}

/** What belongs to the account; nothing of it is secret. */
export async function overviewOf(tx: Transaction, { id }: Account, now: number): Promise<AccountOverview> {
  const profiles = await tx.rows<AccountOverview['profiles'][number]>(
    sql`SELECT x.kind, x.id, x.provider_id AS "providerId", p.name AS provider, x.gone FROM profile x JOIN provider p ON p.provider_id = x.provider_id
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

/** What ended with the account stays ended: its person logs in anew. */
export async function enableByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await enableAccount(tx, userId);
  await noteOperator(tx, userId, 'enabled', now);
}

export async function endAccessByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await endAccess(tx, userId, now);
  await noteOperator(tx, userId, 'ended_access', now);
}

/** The password alone lets in afterwards. What the second factor had let in ends, and the person is told by mail. */
export async function removeSecondFactorByOperator(tx: Transaction, userId: number, now: number): Promise<void> {
  await takeAwaySecondFactor(tx, userId);
  await endAccess(tx, userId, now);
  await noteOperator(tx, userId, 'removed_second_factor', now);
  const speaker = await speakerFor(tx, userId);
  if (speaker !== null) await enqueueMail(tx, accountMail({ kind: 'second_factor_off', user: userId }, speaker));
}

/** Mails the link that the person could ask for; in the name of this business. */
export async function sendPasswordLinkByOperator(
  tx: Transaction,
  { id, email }: Account,
  providerId: number,
  now: number,
): Promise<void> {
  await enqueueMail(tx, accountMail({ kind: 'reset_password', email }, providerId));
  await noteOperator(tx, id, 'sent_password_link', now);
}
