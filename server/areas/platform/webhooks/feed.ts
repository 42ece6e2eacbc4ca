import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';

const destination = 'webhook_destination';

export const PAUSED_BY = ['staff', 'failing', 'secret'] as const;

export const destinationCreated = feedItemKind('webhook_destination.created', {
  object: destination,
  description: 'A webhook destination was created.',
  payload: { webhook_destination: id() },
});

export const destinationUpdated = feedItemKind('webhook_destination.updated', {
  object: destination,
  description: 'A webhook destination was updated, including its secret. `changed` lists the properties.',
  payload: { webhook_destination: id(), changed: listOf(text()) },
});

export const destinationPaused = feedItemKind('webhook_destination.paused', {
  object: destination,
  description:
    'A webhook destination was paused by staff, because it failed for days, or because its secret can’t be read any more.',
  payload: { webhook_destination: id(), cause: oneOf(PAUSED_BY) },
});

export const destinationResumed = feedItemKind('webhook_destination.resumed', {
  object: destination,
  description: 'A webhook destination was resumed.',
  payload: { webhook_destination: id() },
});

export const destinationDisabled = feedItemKind('webhook_destination.disabled', {
  object: destination,
  description: 'A webhook destination was disabled: the receiver responded with 410, so nothing more is sent.',
  payload: { webhook_destination: id() },
});

export const destinationDeleted = feedItemKind('webhook_destination.deleted', {
  object: destination,
  description: 'A webhook destination was deleted.',
  payload: { webhook_destination: id() },
});

export const deliveryParked = feedItemKind('webhook_delivery.parked', {
  object: 'webhook_delivery',
  description: 'A delivery was given up after the last attempt. It can be sent again manually.',
  payload: { webhook_delivery: id(), webhook_destination: id() },
});

export const kinds = [
  destinationCreated,
  destinationUpdated,
  destinationPaused,
  destinationResumed,
  destinationDisabled,
  destinationDeleted,
  deliveryParked,
];
