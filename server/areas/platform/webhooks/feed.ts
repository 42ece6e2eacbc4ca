import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, oneOf } from '../../../kernel/base/fields/kinds.ts';

export const PAUSED_BY = ['staff', 'failing', 'secret'] as const;

export const webhookDestinationFeed = feedKinds(
  'webhook_destination',
  { webhook_destination: id() },
  {
    created: 'A webhook destination was created.',
    updated: 'A webhook destination was updated, including its secret. `changed` lists the properties.',
    paused: {
      description:
        'A webhook destination was paused by staff, because it failed for days, or because its secret can’t be read any more.',
      payload: { cause: oneOf(PAUSED_BY) },
    },
    resumed: 'A webhook destination was resumed.',
    disabled: 'A webhook destination was disabled: the receiver responded with 410, so nothing more is sent.',
    deleted: 'A webhook destination was deleted.',
  },
);

export const webhookDeliveryFeed = feedKinds(
  'webhook_delivery',
  { webhook_delivery: id(), webhook_destination: id() },
  {
    parked: 'A delivery was given up after the last attempt. It can be sent again manually.',
  },
);

export const kinds = [webhookDestinationFeed, webhookDeliveryFeed];
