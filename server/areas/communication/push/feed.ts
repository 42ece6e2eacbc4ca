import { id, listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const of = { push_notification_token: id(), customer: ref('customer') };

export const tokenCreated = feedItemKind('push_notification_token.created', {
  object: 'push_notification_token',
  description: 'A customer agreed to push notifications on a device.',
  payload: of,
});
export const tokenUpdated = feedItemKind('push_notification_token.updated', {
  object: 'push_notification_token',
  description: 'A device that gets push notifications was changed; `changed` names the properties.',
  payload: { ...of, changed: listOf(text()) },
});
export const tokenDeleted = feedItemKind('push_notification_token.deleted', {
  object: 'push_notification_token',
  description: 'A device gets no more push notifications: consent was withdrawn, or the device gave it up.',
  payload: of,
});

export const pushFeed = [tokenCreated, tokenUpdated, tokenDeleted];
