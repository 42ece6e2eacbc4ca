import {
  boolean,
  id,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  ref,
  text,
  wallTime,
} from '../../../kernel/base/fields/kinds.ts';
import { CHANNELS } from '../messages/index.ts';
import { EXCLUSIONS } from './audience.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { FIELDS_HINT } from './template.ts';
import { formatInstant, parsePgInstant } from '../../../kernel/base/values/zone.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { targetRecipients } from './target.ts';

export const STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export const USE_CASES = ['marketing', 'general'] as const;

const count = () => integer({ min: 0 });

export const countFields = {
  customers: count().describe('Customers that the filters match.'),
  targeted: count().describe(
    "People who read messages for these customers, each counted once. A child's messages are read by the managers of the family.",
  ),
  recipients: count().describe('Those of `targeted` who get the message.'),
  excluded: listOf(object({ reason: oneOf(EXCLUSIONS), count: count() })).describe(
    'Those who do not get it, by reason. Together with `recipients`, they add up to `targeted`.',
  ),
};

/** In requests, as it is sent; in responses, with the offset of the business. */
const deferral = {
  at: instant().optional().describe('The time at which it is sent.'),
  local_time: wallTime()
    .optional()
    .describe(
      "The local time of each recipient at which it is sent: the time at the customer's venue, or else at the business.",
    ),
};

/** One of two properties; which one is checked when it is saved. */
export const deferSending = (): Field<{ at?: number; local_time?: string }> =>
  object(deferral)
    .computed(
      (t) => [raw(`${t}.defer_at`), raw(`${t}.defer_local`)],
      ([at, local], { zone }) =>
        at !== null
          ? { at: formatInstant(parsePgInstant(at), zone) }
          : local === null
            ? null
            : { local_time: local.replace(' ', 'T') },
    )
    .describe(
      'When it is sent: `{"at": "2026-12-01T09:00:00Z"}` for everyone at the same moment, `{"local_time": "2026-12-01T09:00"}` for each recipient\'s local time. Null means immediately.',
    );

const DELIVERY = ['queued', 'sending', 'sent', 'kept', 'delivered', 'bounced', 'failed', 'skipped'] as const;

const delivery = (t: string) =>
  raw(`
    (SELECT jsonb_build_object(${DELIVERY.map((s) => `'${s}', count(*) FILTER (WHERE m.status = '${s}')`).join(', ')})
        FROM message m WHERE m.provider_id = ${t}.provider_id AND m.broadcast_id = ${t}.id)`);

export const broadcastMessage = resource('broadcast_message', {
  description: 'A message to many customers.',
  object: null,
  fields: {
    id: id(),
    channel: oneOf(CHANNELS),
    use_case: oneOf(USE_CASES).describe(
      '`marketing` goes to people who agreed to it, and they can unsubscribe; `general` is what all customers need to know, and goes to everyone who did not decline it.',
    ),
    subject: text({ max: 300, blank: true }).nullable().describe(`Subject of an email; null for SMS. ${FIELDS_HINT}`),
    message: text({ max: 20_000 }).describe(`Plain text. ${FIELDS_HINT}`),
    html: text({ max: 100_000 })
      .nullable()
      .describe(
        'Shown instead of the text by readers that show HTML. Takes the same merge fields, whose values are escaped. If null, it is made from the text.',
      ),
    target_recipients: targetRecipients(),
    defer_sending: deferSending().nullable(),
    status: oneOf(STATUSES).describe('`sending`: it is being written and sent. `sent`: nothing of it is left to send.'),
    is_sent: boolean().from((t) => raw(`${t}.status = 'sent'`)),
    sent_by: ref('staff', 'sent_by_id').nullable().describe('Also null if a program sent it.'),
    scheduled_at: instant().nullable().describe('When sending starts.'),
    sent_at: instant().nullable(),
    cancelled_at: instant().nullable(),
    failure: text().nullable().describe('Why Rollcall cancelled it.'),
    recipient_counts: object(countFields).describe(
      'As of `counted_at`. From `sending` on, of the messages written so far.',
    ),
    counted_at: instant(),
    delivery_counts: object(Object.fromEntries(DELIVERY.map((status) => [status, count()])))
      .from(delivery)
      .deferred()
      .describe('Number of messages with each status.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer), customer: false, unregistered: false },
});
