/**
 * The expiry of gift cards whose last day has ended: each business by its own calendar, also for days on which the
 * service was down.
 */
import { expire, lockExpired } from './redeem.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { isOpen } from './row.ts';
import { queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'expire_gift_cards';
const PORTION = 200;

/** Enqueues the work for each business that has expired cards, and deletes old attempts. */
export async function sweepExpiry(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT c.provider_id AS id FROM gift_card c
      WHERE c.redeem_by <= ${instant(now)}::timestamptz AND ${isOpen('c')}`,
  );
  await queueForEach(tx, { task: TASK, now, key: () => 'gift_cards_expire' }, businesses);
}

export async function expireCards(work: Work): Promise<void> {
  const cards = await lockExpired(work, PORTION);
  await expire(work, cards);
  if (cards.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `gift_cards_expire:${cards.at(-1)!.id}` });
}

export const expireCardsJob: Job = { task: TASK, run: expireCards };
