/** Text messages to customers: one row each. */
import { anyOf, COUNT, customerColumns, oneOfThese, within } from './common.ts';
import { column, filterBy, report } from '../report.ts';
import { instant, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

const STATUSES = ['queued', 'sent', 'external_error', 'delivered', 'failed', 'undelivered'] as const;
const STATUS = `CASE m.status WHEN 'sending' THEN 'queued' WHEN 'kept' THEN 'sent' WHEN 'bounced' THEN 'undelivered'
  WHEN 'skipped' THEN 'undelivered' ELSE m.status END`;
const CHANGED = 'coalesce(m.failed_at, m.delivered_at, m.sent_at, m.handed_at, m.queued_at)';

const status = column(
  oneOf(STATUSES),
  STATUS,
  'Status of the message. Undelivered: it could not be sent to the customer.',
);
const trigger = column(text(), 'm.kind', 'Subject of the message.', { alias: 'interaction_trigger' });

export const smsMessagesReport = report('sms_messages', {
  title: 'text messages',
  description: 'Text messages to customers, and what became of them.',
  who: ['customers'],
  from: 'message m',
  joins: { c: raw('JOIN customer c ON c.provider_id = m.provider_id AND c.id = m.customer_id') },
  where: raw(`m.channel = 'sms' AND m.customer_id IS NOT NULL`),
  id: 'm.id',
  venue: null,
  columns: {
    ...customerColumns('c'),
    status,
    status_updated_at: column(instant(), CHANGED, 'When that was known.'),
    queued_at: column(instant(), 'm.queued_at', 'When the message was written.'),
    content: column(
      text(),
      'CASE WHEN NOT m.sealed THEN m.text_part END',
      'Text of the message; empty if it contained a secret, such as a code.',
      { sortable: false },
    ),
    'interaction.trigger': trigger,
  },
  sort: '-queued_at',
  customer: 'customer.id',
  filters: {
    customers: anyOf('m.customer_id'),
    interaction_triggers: filterBy(
      listOf(text({ max: 60 }), { max: 50 }),
      (kinds) => sql`m.kind = ANY(${kinds}::text[])`,
    ),
    status: oneOfThese(STATUSES, STATUS),
    ...within('status_updated_at', CHANGED),
  },
  grouped: { by: { ...customerColumns('c'), status, 'interaction.trigger': trigger }, measures: { count: COUNT } },
});
