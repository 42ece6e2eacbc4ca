import { feedItemKind } from '../../kernel/feed/feed-item.ts';
import { id, listOf, oneOf, text } from '../../kernel/api/kinds.ts';

const destination = 'webhook_destination';

export const PAUSED_BY = ['staff', 'failing', 'secret'] as const;

export const destinationCreated = feedItemKind('webhook_destination.created', { object: destination, description: 'A webhook destination was entered.', payload: { webhook_destination: id() } });

export const destinationUpdated = feedItemKind('webhook_destination.updated', {
  object: destination,
  description: 'Something about a webhook destination changed, its secret included; `changed` names the properties.',
  payload: { webhook_destination: id(), changed: listOf(text()) },
});

export const destinationPaused = feedItemKind('webhook_destination.paused', {
  object: destination,
  description: 'Nothing is sent to a webhook destination until it is resumed: staff wanted it, it failed for days, or its secret cannot be read any more.',
  payload: { webhook_destination: id(), cause: oneOf(PAUSED_BY) },
});

export const destinationResumed = feedItemKind('webhook_destination.resumed', { object: destination, description: 'A webhook destination is sent to again.', payload: { webhook_destination: id() } });

export const destinationDisabled = feedItemKind('webhook_destination.disabled', {
  object: destination,
  description: 'The receiver answered 410: it is gone, and nothing more is sent.',
  payload: { webhook_destination: id() },
});

export const destinationDeleted = feedItemKind('webhook_destination.deleted', { object: destination, description: 'A webhook destination was deleted.', payload: { webhook_destination: id() } });

export const deliveryParked = feedItemKind('webhook_delivery.parked', {
  object: 'webhook_delivery',
  description: 'A delivery was given up after every attempt; it can be sent again by hand.',
  payload: { webhook_delivery: id(), webhook_destination: id() },
});

export const kinds = [destinationCreated, destinationUpdated, destinationPaused, destinationResumed, destinationDisabled, destinationDeleted, deliveryParked];
