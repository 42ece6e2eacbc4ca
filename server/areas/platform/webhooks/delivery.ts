import { embedded, id, instant, integer, map, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { forDevelopers } from './destination.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'parked', 'cancelled'] as const;

export const delivery = resource('webhook_delivery', {
  description: 'A feed item that is sent to a webhook destination.',
  fields: {
    id: id(),
    webhook_id: text({ max: 100 })
      .from((t) => raw(`${t}.message_id::text`))
      .describe(
        'Id that the receiver gets in the headers Service-Webhook-ID and webhook-id. The same in every attempt.',
      ),
    destination: ref('webhook_destination', 'destination_id'),
    feed_item: id()
      .nullable()
      .from((t) => raw(`${t}.seq`))
      .describe('Number of the feed item. Null for a test.'),
    feed_item_type: text({ max: 100 }).from((t) => raw(`${t}.kind`)),
    status: oneOf(DELIVERY_STATUSES).describe(
      '`pending`: waiting to be sent, or to be sent again. `parked`: given up after the last attempt. `cancelled`: the destination was deleted or is disabled, the delivery waited for a paused destination for 30 days, or its feed item is no longer kept; the last attempt then says so.',
    ),
    attempt_count: integer({ min: 0 }).from((t) => raw(`${t}.attempts`)),
    next_attempt_at: instant()
      .nullable()
      .from((t) => raw(`CASE WHEN ${t}.status = 'pending' THEN ${t}.next_attempt_at END`)),
    request_body: text({ max: 1_000_000 })
      .nullable()
      .from((t) => raw(`${t}.body`))
      .describe('The body that was sent. Null before the first attempt, and from 30 days after `ended_at`.'),
    attempts: embedded('webhook_attempt', { column: 'delivery_id' }),
    created_at: instant(),
    ended_at: instant().nullable().describe('Time when it was delivered, parked or cancelled.'),
  },
  visible: forDevelopers(() => true),
});

export const attempt = resource('webhook_attempt', {
  description: 'A request to a webhook destination, and its result.',
  fields: {
    id: id(),
    started_at: instant(),
    duration_ms: integer({ min: 0 }),
    response_status: integer().nullable().describe('Null if there was no response. `error` says why.'),
    response_headers: map().nullable(),
    response_body: text({ max: 4000, blank: true }).nullable().describe('The first 4,000 characters.'),
    error: text({ max: 1000 }).nullable(),
  },
  visible: forDevelopers(() => true),
});
