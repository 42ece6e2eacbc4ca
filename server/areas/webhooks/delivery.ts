import { embedded, id, instant, integer, map, oneOf, ref, text } from '../../kernel/api/kinds.ts';
import { forDevelopers } from './destination.ts';
import { raw } from '../../kernel/db/sql.ts';
import { resource } from '../../kernel/api/resource.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'parked', 'cancelled'] as const;

export const delivery = resource('webhook_delivery', {
  description: 'One feed item on its way to one destination.',
  fields: {
    id: id(),
    webhook_id: text({ max: 100 }).from((t) => raw(`${t}.message_id::text`)).describe('What the receiver knows it by: the headers Service-Webhook-ID and webhook-id, the same in every attempt.'),
    destination: ref('webhook_destination', 'destination_id'),
    feed_item: id().nullable().from((t) => raw(`${t}.seq`)).describe('The number of the feed item; null: a test.'),
    feed_item_type: text({ max: 100 }).from((t) => raw(`${t}.kind`)),
    status: oneOf(DELIVERY_STATUSES).describe('`pending`: still to be sent, or sent again. `parked`: given up after every attempt. `cancelled`: the destination was deleted or is disabled.'),
    attempt_count: integer({ min: 0 }).from((t) => raw(`${t}.attempts`)),
    next_attempt_at: instant().nullable().from((t) => raw(`CASE WHEN ${t}.status = 'pending' THEN ${t}.next_attempt_at END`)),
    request_body: text({ max: 1_000_000 }).nullable().from((t) => raw(`${t}.body`)).describe('As it was sent; null before the first attempt, and 30 days after the end.'),
    attempts: embedded('webhook_attempt', { column: 'delivery_id' }),
    created_at: instant(),
    ended_at: instant().nullable().describe('When it was delivered, parked or cancelled.'),
  },
  visible: forDevelopers(() => true),
});

export const attempt = resource('webhook_attempt', {
  description: 'One request to a destination, and what came of it.',
  fields: {
    id: id(),
    started_at: instant(),
    duration_ms: integer({ min: 0 }),
    response_status: integer().nullable().describe('Null: nothing was answered, and `error` says why.'),
    response_headers: map().nullable(),
    response_body: text({ max: 4000, blank: true }).nullable().describe('The first 4,000 characters.'),
    error: text({ max: 1000 }).nullable(),
  },
  visible: forDevelopers(() => true),
});
