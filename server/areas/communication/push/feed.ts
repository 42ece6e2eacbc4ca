import { id, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const pushNotificationTokenFeed = feedKinds(
  'push_notification_token',
  { push_notification_token: id(), customer: ref('customer') },
  {
    created: 'A customer agreed to push notifications on a device.',
    updated: 'A device that gets push notifications was changed; `changed` names the properties.',
    deleted: 'A device gets no more push notifications: consent was withdrawn, or the device gave it up.',
  },
);

export const pushFeed = [pushNotificationTokenFeed];
