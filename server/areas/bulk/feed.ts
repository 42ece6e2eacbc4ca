import { id } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const bulkActionCreated = feedItemKind('bulk_action.created', {
  object: 'bulk_action',
  description: 'One action on many objects was asked for; a job does it.',
  payload: { bulk_action: id(), job: id() },
});

export const bulkActionFinished = feedItemKind('bulk_action.finished', {
  object: 'bulk_action',
  description: 'A bulk action is done, each of its objects with a result.',
  payload: { bulk_action: id(), job: id() },
});
