import { boolean, id, instant, integer, listOf, object, oneOf, ref, text, wallTime } from '../../kernel/api/kinds.ts';
import { CHANNELS } from '../messages/index.ts';
import { EXCLUSIONS } from './audience.ts';
import { Field } from '../../kernel/api/field.ts';
import { FIELDS_TOLD } from './template.ts';
import { formatInstant, parsePgInstant } from '../../kernel/values/zone.ts';
import { may } from '../../kernel/access/viewer.ts';
import { raw } from '../../kernel/db/sql.ts';
import { resource } from '../../kernel/api/resource.ts';
import { targetRecipients } from './target.ts';

export const STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export const USE_CASES = ['marketing', 'general'] as const;

const count = () => integer({ min: 0 });

export const countFields = {
  customers: count().describe('Customers that the filters find.'),
  targeted: count().describe('People who read what is for these: of a child, its managers; each once.'),
  recipients: count().describe('Of those, who get it.'),
  excluded: listOf(object({ reason: oneOf(EXCLUSIONS), count: count() })).describe('And who do not, by reason: together with `recipients` these are `targeted`.'),
};

/** As it is sent; of an answer it has the offset of the business. */
const deferral = {
  at: instant().optional().describe('At this moment.'),
  local_time: wallTime().optional().describe('Local time of each recipient: when the clocks of the venue that the customer belongs to, else of the business, show this.'),
};

/** One of two properties; which, is checked by whoever saves it. */
export const deferSending = (): Field<{ at?: number; local_time?: string }> =>
  object(deferral)
    .computed(
      (t) => [raw(`${t}.defer_at`), raw(`${t}.defer_local`)],
      ([at, local], { zone }) => (at !== null ? { at: formatInstant(parsePgInstant(at), zone) } : local === null ? null : { local_time: local.replace(' ', 'T') }),
    )
    .describe('When it goes out once it is sent: `{"at": "2026-12-01T09:00:00Z"}` for all at one moment, `{"local_time": "2026-12-01T09:00"}` when it is that late where each recipient is. Null: at once.');

const DELIVERY = ['queued', 'sending', 'sent', 'kept', 'delivered', 'bounced', 'failed', 'skipped'] as const;

const delivery = (t: string) =>
  raw(`(SELECT jsonb_build_object(${DELIVERY.map((s) => `'${s}', count(*) FILTER (WHERE m.status = '${s}')`).join(', ')})
        FROM message m WHERE m.provider_id = ${t}.provider_id AND m.broadcast_id = ${t}.id)`);

export const broadcastMessage = resource('broadcast_message', {
  description: 'One message to many customers.',
  object: null,
  fields: {
    id: id(),
    channel: oneOf(CHANNELS),
    use_case: oneOf(USE_CASES).describe('`marketing` goes to those who agreed to it, and can be unsubscribed from; `general` is what all customers must know, and goes to all who did not decline it.'),
    subject: text({ max: 300, blank: true }).nullable().describe(`Of an e-mail; null for SMS. ${FIELDS_TOLD}`),
    message: text({ max: 20_000 }).describe(`Plain text. ${FIELDS_TOLD}`),
    html: text({ max: 100_000 }).nullable().describe('What takes the place of the text in readers that show HTML, with the same merge fields; what they stand for is escaped. Null: made of the text.'),
    target_recipients: targetRecipients(),
    defer_sending: deferSending().nullable(),
    status: oneOf(STATUSES).describe('`sending`: a worker writes and sends it. `sent`: nothing of it is left to be sent.'),
    is_sent: boolean().from((t) => raw(`${t}.status = 'sent'`)),
    sent_by: ref('staff', 'sent_by_id').nullable().describe('Null also where a program sent it.'),
    scheduled_at: instant().nullable().describe('When it begins to go out.'),
    sent_at: instant().nullable(),
    cancelled_at: instant().nullable(),
    failure: text().nullable().describe('Why the service itself cancelled it.'),
    recipient_counts: object(countFields).describe('As of `counted_at`; from `sending` on, of what is written so far.'),
    counted_at: instant(),
    delivery_counts: object(Object.fromEntries(DELIVERY.map((status) => [status, count()])))
      .from(delivery)
      .deferred()
      .describe('What became of the messages.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer), customer: false, unregistered: false },
});
