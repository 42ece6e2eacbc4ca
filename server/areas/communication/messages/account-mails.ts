/**
 * Records emails about logging in in the ledger: they are sent by an area that does not know the ledger, and recorded
 * in the feed.
 */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';

export const accountMailsReader: FeedReader = {
  name: 'message_ledger',
  kinds: ['customer.account_mail_sent'],
  async read(work, items) {
    const status = work.installation.messages.mail === null ? 'kept' : 'sent';
    // Their text contained live links, and is not stored in the ledger.
    await work.tx.run(sql`
      INSERT INTO message (provider_id, key, channel, purpose, kind, customer_id, recipient, sealed, status, attempts,
        queued_at, send_at, sent_at)
      SELECT c.provider_id, 'account:' || m.seq, 'email', 'transactional', m.mail, c.id, c.email, true, ${status}, 1,
        m.at, m.at, CASE ${status} WHEN 'sent' THEN m.at END
      FROM unnest(${items.map((i) => i.seq)}::bigint[], ${items.map((i) => i.payload.customer)}::bigint[],
        ${items.map((i) => i.payload.mail)}::text[],
                  ${items.map((i) => instant(i.occurredAt))}::timestamptz[]) AS m (seq, customer, mail, at)
      JOIN customer c ON c.provider_id = ${work.providerId} AND c.id = m.customer
      ORDER BY m.seq
      ON CONFLICT (provider_id, key) DO NOTHING`);
  },
};
