/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { blanked, deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sealedFor } from './queue.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('communication_settings'),
  message: {
    sealed: { text_part: (row) => (row.sealed ? sealedFor(row.provider_id, row.key) : null) },
    ...blanked(
      'messages',
      'How many messages were sent must still add up. What was in them, and to whom they went, is gone.',
      {
        status: sql`CASE WHEN t.status = 'queued' THEN 'skipped' ELSE t.status END`,
        reason: sql`CASE WHEN t.status = 'queued' THEN 'outdated' ELSE t.reason END`,
        recipient: sql`NULL`,
        subject: sql`NULL`,
        text_part: sql`NULL`,
        html_part: sql`NULL`,
        calendar: sql`NULL`,
        headers: sql`NULL`,
        error: sql`NULL`,
        carrier_reference: sql`NULL`,
        token_hash: sql`NULL`,
        unsubscribe_hash: sql`NULL`,
      },
      {
        rows: ({
          ids,
          emails,
          phones,
        }) => sql`(t.customer_id = ANY(${ids}::bigint[]) OR t.about_customer_id = ANY(${ids}::bigint[])
        OR lower(t.recipient) = ANY(${emails}::text[]) OR t.recipient = ANY(${phones}::text[]))`,
        hidden: [
          'key',
          'recipient',
          'staff_id',
          'html_part',
          'calendar',
          'headers',
          'sealed',
          'claimed_by',
          'carrier_reference',
          'error',
        ],
      },
    ),
  },
  message_bounce: deleted('failed_deliveries', {
    rows: ({ ids, emails }) => sql`(lower(t.address) = ANY(${emails}::text[]) OR EXISTS (SELECT FROM message m
      WHERE m.provider_id = t.provider_id AND m.id = t.message_id AND m.customer_id = ANY(${ids}::bigint[])))`,
  }),
  notification_preference: deleted('message_preferences'),
  sms_account: deleted('phone_numbers', { hidden: ['code_expires_at', 'code_tries', 'codes', 'codes_since'] }),
  suppression: blanked(
    'suppressed_addresses',
    'The address alone, so that nobody writes to it again.',
    { note: sql`NULL` },
    {
      rows: ({ emails, phones }) => sql`(t.address = ANY(${emails}::text[]) OR t.address = ANY(${phones}::text[]))`,
    },
  ),
};
