import { feedItemKind } from '../../kernel/feed/feed-item.ts';
import { id, listOf, text } from '../../kernel/api/kinds.ts';

const about = { broadcast_message: id() };
const kind = (what: string, description: string) => feedItemKind(`broadcast_message.${what}`, { object: 'broadcast_message', description, payload: about });

export const broadcastCreated = kind('created', 'A message to many customers was drafted.');
export const broadcastUpdated = feedItemKind('broadcast_message.updated', {
  object: 'broadcast_message',
  description: 'A draft was changed; `changed` names the properties.',
  payload: { ...about, changed: listOf(text()) },
});
export const broadcastDeleted = kind('deleted', 'A draft was deleted.');
export const broadcastScheduled = kind('scheduled', 'A broadcast goes out later.');
export const broadcastSent = kind('sent', 'Nothing of a broadcast is left to be sent.');
export const broadcastCancelled = kind('cancelled', 'A broadcast was stopped: what was not sent yet will not be.');

export const broadcastFeed = [broadcastCreated, broadcastUpdated, broadcastDeleted, broadcastScheduled, broadcastSent, broadcastCancelled];
