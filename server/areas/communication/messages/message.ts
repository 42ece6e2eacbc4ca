import { sql, raw } from '../../../kernel/base/db/sql.ts';
import { boolean, group, id, instant, integer, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { may, viewingCustomer } from '../../../kernel/work/access/viewer.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { AS_TEXT } from './queue.ts';
import { htmlOfText } from '../../../kernel/base/values/template.ts';
import { SKIP_REASONS } from './verdict.ts';

export const CHANNELS = ['email', 'sms'] as const;
export const PURPOSES = ['transactional', 'marketing'] as const;
export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'kept',
  'delivered',
  'bounced',
  'failed',
  'skipped',
] as const;

export const message = resource('message', {
  description: 'A message to a person, by email or SMS, and its status.',
  fields: {
    id: id(),
    channel: oneOf(CHANNELS),
    purpose: oneOf(PURPOSES),
    kind: text({ max: 60 }).describe('Why it was sent, for example `event_reminder`.'),
    customer: ref('customer').nullable(),
    staff: ref('staff').nullable(),
    about_customer: ref('customer', 'about_customer_id')
      .nullable()
      .describe('The child that the message is about, if it went to a parent.'),
    recipient: text().nullable().describe('The email address or phone number. Null if there was none.'),
    subject: text().nullable(),
    status: oneOf(MESSAGE_STATUSES).describe(
      '`sent`: the mail server or the SMS service accepted it. `kept`: there is no such server, so it was not sent; the operator of the installation can read it for a week. `delivered` and `bounced` are reported later, if the server supports it.',
    ),
    reason: oneOf(SKIP_REASONS).nullable().describe('Why it was skipped.'),
    error: text().nullable().describe('The last error.'),
    attempts: integer({ min: 0 }),
    queued_at: instant(),
    send_at: instant().describe('The earliest time at which it is sent.'),
    sent_at: instant().nullable(),
    delivered_at: instant().nullable(),
    failed_at: instant().nullable(),
    confirmed: boolean().describe(
      'False if the service was interrupted after handing the message over and before it was confirmed as accepted.',
    ),
    body: group({
      text: text()
        .nullable()
        .from((t) => raw(`CASE WHEN NOT ${t}.sealed THEN ${t}.text_part END`)),
      html: text()
        .nullable()
        .computed(
          (t) => ['html_part', 'text_part'].map((part) => raw(`CASE WHEN NOT ${t}.sealed THEN ${t}.${part} END`)),
          ([html, words]) => (html === AS_TEXT ? htmlOfText(words!) : html),
        ),
    })
      .deferred()
      .describe('The text of the message. Null if it contained a secret.'),
  },
  visible: {
    provider: (t, viewer) => may(viewer) || raw(`${t}.customer_id IS NOT NULL`),
    customer: (t) => sql`${raw(t)}.customer_id = ${viewingCustomer}`,
    unregistered: false,
  },
  secret: ['text_part', 'html_part', 'token_hash', 'unsubscribe_hash'],
});
