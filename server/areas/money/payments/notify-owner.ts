/**
 * Emails to the people who run the business when a payment, refund or dispute needs attention: a reader of the feed.
 */
import { DISPUTE_STATES } from './rules/states.ts';
import { paymentDisputeFeed, paymentRefundFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { StaffNotice } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const OWNER_NOTICES = {
  disputed: { type: 'payment_disputed', subject: 'A payment is disputed' },
  decided: { type: 'payment_dispute_decided', subject: 'A dispute was decided' },
  refundFailed: { type: 'payment_refund_failed', subject: 'A refund could not be sent' },
};

interface Payload {
  readonly payment: number;
  readonly amount: string;
  readonly payment_dispute?: number;
  readonly payment_refund?: number;
  readonly status?: (typeof DISPUTE_STATES)[number];
}

function noticeOf({ kind, payload }: FeedItem, currency: string, answerBy: string | null): StaffNotice {
  const { payment, amount, payment_dispute, payment_refund, status } = payload as unknown as Payload;
  const sum = `${amount} ${currency}`;
  if (kind === paymentRefundFeed.failed.kind)
    return {
      type: OWNER_NOTICES.refundFailed,
      key: String(payment_refund),
      text: `Refund ${payment_refund} of ${sum} (payment ${payment}) came back: the account that paid can't take it. The amount is still owed to the customer.\n\nTry it again with POST /payment_refunds/${payment_refund}/retry, or agree on another way with the customer.`,
    };
  if (kind === paymentDisputeFeed.created.kind)
    return {
      type: OWNER_NOTICES.disputed,
      key: String(payment_dispute),
      text: `A customer's bank took back ${sum} of payment ${payment}. ${answerBy === null ? 'Look at your payment processor until when you can answer.' : `Answer at your payment processor by ${answerBy}.`} Until it is decided, nothing of this amount can be refunded.`,
    };
  return {
    type: OWNER_NOTICES.decided,
    key: `${payment_dispute}:${status}`,
    text:
      status === 'won'
        ? `The dispute of payment ${payment} was decided for you: ${sum} came back.`
        : `The dispute of payment ${payment} was decided for the customer. ${sum} stays with them. What they bought stays too: cancel it yourself if you want to.`,
  };
}

export const ownerReader: FeedReader = {
  name: 'payment_owner',
  kinds: [paymentDisputeFeed.created.kind, paymentDisputeFeed.updated.kind, paymentRefundFeed.failed.kind],
  async read(work: Work, items: readonly FeedItem[]) {
    const disputes = items.map((item) => (item.payload as unknown as Payload).payment_dispute ?? 0);
    const rows = await work.tx.rows<{ id: number; answer_by: number | null }>(
      sql`SELECT id, answer_by FROM payment_dispute
        WHERE provider_id = ${work.providerId} AND id = ANY(${disputes}::bigint[])`,
    );
    const until = new Map(rows.map(({ id, answer_by }) => [id, answer_by]));
    for (const item of items) {
      const at = until.get((item.payload as unknown as Payload).payment_dispute ?? 0) ?? null;
      const answerBy = at === null ? null : wallAt(at, work.tenant.zone).date;
      await work.registry.notifier.notifySuperAdmins(work, noticeOf(item, work.tenant.currency, answerBy));
    }
  },
};
