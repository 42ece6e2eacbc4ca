import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';

const about = { broadcast_message: id() };
const kind = (what: string, description: string) =>
  feedItemKind(`broadcast_message.${what}`, { object: 'broadcast_message', description, payload: about });

export const broadcastCreated = kind('created', 'A draft of a broadcast message was created.');
export const broadcastUpdated = feedItemKind('broadcast_message.updated', {
  object: 'broadcast_message',
  description: 'A draft was changed; `changed` names the properties.',
  payload: { ...about, changed: listOf(text()) },
});
export const broadcastDeleted = kind('deleted', 'A draft was deleted.');
export const broadcastScheduled = kind('scheduled', 'A broadcast was scheduled for later.');
export const broadcastSent = kind('sent', 'A broadcast was sent, and nothing is left to send.');
export const broadcastCancelled = kind(
  'cancelled',
  'A broadcast was cancelled. Messages that were not sent yet will not be sent.',
);

export const broadcastFeed = [
  broadcastCreated,
  broadcastUpdated,
  broadcastDeleted,
  broadcastScheduled,
  broadcastSent,
  broadcastCancelled,
];
