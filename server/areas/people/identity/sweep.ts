/**
 * Deletes what accounts no longer need: expired sessions and links, old attempts, events of more than a year ago, and
 * accounts that were never confirmed.
 */
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { LONGEST_MS, UNUSED_MS } from './log-in/sessions.ts';
import { sweepDomainSessions } from './log-in/domain-sessions.ts';
import { THROTTLE_KEPT_MS } from './log-in/throttle.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const DAY = 86_400_000;
const EVENTS_KEPT_MS = 365 * DAY;
/** Links are kept for a while after they end, to count how often they were requested. */
const TICKETS_KEPT_MS = 7 * DAY;
const UNCONFIRMED_KEPT_MS = 30 * DAY;
/** The rest waits for the next run, so that a flood of sign-ups causes no long transaction. */
const ACCOUNTS_AT_ONCE = 1000;

export async function sweepAccounts(tx: Transaction, now: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM user_session WHERE seen_at <= ${instant(now - UNUSED_MS)}
      OR created_at <= ${instant(now - LONGEST_MS)}`,
  );
  await sweepDomainSessions(tx, now);
  await tx.run(sql`DELETE FROM account_ticket WHERE expires_at <= ${instant(now - TICKETS_KEPT_MS)}`);
  await tx.run(sql`DELETE FROM passkey_challenge WHERE expires_at <= ${instant(now)}`);
  await tx.run(sql`DELETE FROM sign_up_code WHERE expires_at <= ${instant(now)}`);
  await tx.run(sql`DELETE FROM attempt_throttle WHERE last_at <= ${instant(now - THROTTLE_KEPT_MS)}`);
  await tx.run(sql`DELETE FROM user_event WHERE at <= ${instant(now - EVENTS_KEPT_MS)}`);
  await deleteUnconfirmed(tx, now);
}

/**
 * Deletes accounts whose address was not confirmed for a month and that no business has a profile of: the owner of the
 * address may never have heard of us. Dependent rows are deleted by the foreign keys.
 */
async function deleteUnconfirmed(tx: Transaction, now: number): Promise<void> {
  const nobodys = sql`u.email_confirmed_at IS NULL AND u.created_at <= ${instant(now - UNCONFIRMED_KEPT_MS)}
    AND NOT EXISTS (SELECT FROM profile p WHERE p.user_id = u.id)`;
  // Accounts that are being given a profile are locked, and are skipped.
  const found = await tx.rows<{ id: number }>(
    sql`SELECT u.id FROM user_account u WHERE ${nobodys} ORDER BY u.created_at LIMIT ${raw(String(ACCOUNTS_AT_ONCE))}
      FOR UPDATE OF u SKIP LOCKED`,
  );
  // Checked again: a profile may have been created between the read and the lock; after the lock, none can be.
  await tx.run(
    sql`DELETE FROM user_account u WHERE u.id = ANY(${found.map((row) => row.id)}::bigint[]) AND ${nobodys}`,
  );
}
