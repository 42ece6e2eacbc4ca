/** Forgets what accounts no longer need: sessions and links that are over, old attempts, events of more than a year ago. */
import { instant, sql } from '../../kernel/db/sql.ts';
import { LONGEST_MS, UNUSED_MS } from './sessions.ts';
import { THROTTLE_KEPT_MS } from './throttle.ts';
import type { Transaction } from '../../kernel/db/database.ts';

const DAY = 86_400_000;
export const EVENTS_KEPT_MS = 365 * DAY;
/** Links stay for a while after they end, so that one can be told how often they were asked for. */
const TICKETS_KEPT_MS = 7 * DAY;

export async function sweepAccounts(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`DELETE FROM user_session WHERE seen_at <= ${instant(now - UNUSED_MS)} OR created_at <= ${instant(now - LONGEST_MS)}`);
  await tx.run(sql`DELETE FROM account_ticket WHERE expires_at <= ${instant(now - TICKETS_KEPT_MS)}`);
  await tx.run(sql`DELETE FROM attempt_throttle WHERE last_at <= ${instant(now - THROTTLE_KEPT_MS)}`);
  await tx.run(sql`DELETE FROM user_event WHERE at <= ${instant(now - EVENTS_KEPT_MS)}`);
}
