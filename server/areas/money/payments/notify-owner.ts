/**
 * Emails to the people who run the business when a payment, refund or dispute needs attention: a reader of the feed.
 */
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNotice } from '../../../kernel/work/unit/notices.ts';
import { DISPUTE_STATES } from './rules/states.ts';
import { parseDecimal } from '../../../kernel/base/values/money.ts';
import { paymentDisputeFeed, paymentRefundFeed } from './feed.ts';
import { sayableName } from '../../../kernel/base/values/person-name.ts';
import { spokenAmount, spokenDay } from '../../../kernel/base/languages/spoken.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const OWNER_NOTICES = {
  disputed: { type: 'payment_disputed' },
  decided: { type: 'payment_dispute_decided' },
  refundFailed: { type: 'payment_refund_failed' },
};

const TEXTS = Catalog.read('messages', 'payments/staff');

interface Payload {
  readonly payment: number;
  readonly amount: string;
  readonly payment_dispute?: number;
  readonly payment_refund?: number;
  readonly status?: (typeof DISPUTE_STATES)[number];
}

interface Facts {
  readonly id: number;
  /** of the person who paid */
  readonly name: string;
  readonly paid_at: number;
  readonly answer_by: number | null;
}

function noticeFor(work: Work, { kind, payload }: FeedItem, facts: Facts): StaffNotice {
  const { amount, payment_dispute, payment_refund, status } = payload as unknown as Payload;
  const { zone, currency, words } = work.tenant;
  const screen = (list: string): string => dashboardUrl(work, `sales?tab=payments&of=${list}`);
  const speaking = (reader: Reader) => {
    const say = TEXTS.for(reader, words);
    const values = {
      amount: spokenAmount(reader, { minor: parseDecimal(amount, currency)!, currency }),
      name: sayableName(facts.name),
      day: spokenDay(reader, facts.paid_at, zone),
    };
    return (key: Parameters<typeof say>[0], more = {}) => say(key, { ...values, ...more });
  };
  if (kind === paymentRefundFeed.failed.kind)
    return {
      type: OWNER_NOTICES.refundFailed,
      key: String(payment_refund),
      write: (reader) => {
        const say = speaking(reader);
        return {
          subject: say('refund.subject'),
          text: [say('refund'), screen('refunds')].join('\n\n'),
          button: say('see.refund'),
        };
      },
    };
  if (kind === paymentDisputeFeed.created.kind)
    return {
      type: OWNER_NOTICES.disputed,
      key: String(payment_dispute),
      write: (reader) => {
        const say = speaking(reader);
        const by = facts.answer_by;
        const answer = by === null ? say('answer.soon') : say('answer.by', { day: spokenDay(reader, by, zone) });
        return {
          subject: say('disputed.subject'),
          text: [say('disputed'), answer, say('disputed.until'), screen('disputes')].join('\n\n'),
          button: say('see.dispute'),
        };
      },
    };
  return {
    type: OWNER_NOTICES.decided,
    key: `${payment_dispute}:${status}`,
    write: (reader) => {
      const say = speaking(reader);
      const how = status === 'won' ? 'won' : 'lost';
      return {
        subject: say(`${how}.subject`),
        text: [say(how), screen('disputes')].join('\n\n'),
        button: say('see.dispute'),
      };
    },
  };
}

export const ownerReader: FeedReader = {
  name: 'payment_owner',
  kinds: [paymentDisputeFeed.created.kind, paymentDisputeFeed.updated.kind, paymentRefundFeed.failed.kind],
  async read(work: Work, items: readonly FeedItem[]) {
    const payloads = items.map((item) => item.payload as unknown as Payload);
    const rows = await work.tx.rows<Facts & { nth: number }>(sql`
      SELECT asked.nth, p.id, concat_ws(' ', c.first_name, c.last_name) AS name,
        coalesce(p.succeeded_at, p.created_at) AS paid_at, d.answer_by
      FROM unnest(${payloads.map(({ payment }) => payment)}::bigint[],
        ${payloads.map(({ payment_dispute: id }) => id ?? null)}::bigint[])
        WITH ORDINALITY AS asked (payment, dispute, nth)
      JOIN payment p ON p.provider_id = ${work.providerId} AND p.id = asked.payment
      JOIN customer c ON c.provider_id = p.provider_id AND c.id = p.customer_id
      LEFT JOIN payment_dispute d ON d.provider_id = p.provider_id AND d.id = asked.dispute
      ORDER BY asked.nth`);
    for (const { nth, ...facts } of rows)
      await work.registry.notifier.notifySuperAdmins(work, noticeFor(work, items[nth - 1], facts));
  },
};
