import { id, listOf, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const applicationCreated = feedItemKind('application.created', {
  object: 'application',
  description: 'An application was entered.',
  payload: { application: id() },
});

export const applicationUpdated = feedItemKind('application.updated', {
  object: 'application',
  description: 'Something about an application changed, its secrets and its direct authentication included; `changed` names the properties.',
  payload: { application: id(), changed: listOf(text()) },
});

export const applicationDeleted = feedItemKind('application.deleted', {
  object: 'application',
  description: 'An application was deleted, and every token of it ended.',
  payload: { application: id() },
});
