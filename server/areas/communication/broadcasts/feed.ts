import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';

export const broadcastMessageFeed = feedKinds(
  'broadcast_message',
  { broadcast_message: id() },
  {
    created: 'A draft of a broadcast message was created.',
    updated: 'A draft was changed; `changed` names the properties.',
    deleted: 'A draft was deleted.',
    scheduled: 'A broadcast was scheduled for later.',
    sent: 'A broadcast was sent, and nothing is left to send.',
    cancelled: 'A broadcast was cancelled. Messages that were not sent yet will not be sent.',
  },
);

export const broadcastFeed = [broadcastMessageFeed];
