/** Gift card emails that another mail server reports as undeliverable after accepting them. */
import { fail } from './deliver.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockGiftCards } from './row.ts';
import { statusOf } from './rules/state.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'note_returned_gift_card';

interface SentCard {
  readonly providerId: number;
  readonly id: number;
  readonly recipient: string;
  /** epoch milliseconds, identifies this email */
  readonly sentAt: number;
}

/**
 * Returns the card whose latest email has one of these tokens, given as hashes. Once the card is sent again or printed,
 * earlier emails no longer count.
 */
export const cardOfMail = (tx: Transaction, hashes: readonly string[]): Promise<SentCard | undefined> =>
  tx.one<SentCard & Record<string, unknown>>(sql`
    SELECT provider_id AS "providerId", id, recipient_email AS recipient, last_sent_at AS "sentAt" FROM gift_card
    WHERE mail_hash = ANY(${hashes}::bytea[]) AND recipient_email IS NOT NULL LIMIT 1`);

/**
 * Enqueues a job that records the bounce and notifies people, because the process that reads the reports may be unable
 * to write to them.
 */
export const cardCameBack = (work: Work, { id, sentAt }: SentCard): void =>
  work.enqueue({
    task: TASK,
    payload: { gift_card: id, sent_at: instant(sentAt) },
    key: `gift_card_returned:${id}`,
    urgency: 'first',
  });

async function note(work: Work, { gift_card: id, sent_at }: { gift_card: number; sent_at: string }): Promise<void> {
  const [card] = await lockGiftCards(work, [id]);
  const same = card?.mail_hash !== null && card?.last_sent_at === Date.parse(sent_at);
  // Repeated reports are recorded once, and nobody is notified about a card that was used or has ended.
  if (!same || card.delivery_problem !== null || statusOf(card, work.now) !== 'delivered') return;
  await fail(work, card, 'bounced');
}

export const returnedJob: Job = { task: TASK, run: note };
