import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const applicationCreated = feedItemKind('application.created', {
  object: 'application',
  description: 'An application was created.',
  payload: { application: id() },
});

export const applicationUpdated = feedItemKind('application.updated', {
  object: 'application',
  description:
    'An application was updated, including its secrets and direct authentication. `changed` lists the properties.',
  payload: { application: id(), changed: listOf(text()) },
});

export const applicationDeleted = feedItemKind('application.deleted', {
  object: 'application',
  description: 'An application was deleted, and all its tokens ended.',
  payload: { application: id() },
});
