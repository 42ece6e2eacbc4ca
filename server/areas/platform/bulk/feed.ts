import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const bulkActionCreated = feedItemKind('bulk_action.created', {
  object: 'bulk_action',
  description: 'A bulk action was requested. A job carries it out.',
  payload: { bulk_action: id(), job: id() },
});

export const bulkActionFinished = feedItemKind('bulk_action.finished', {
  object: 'bulk_action',
  description: 'A bulk action finished. Each of its objects has a result.',
  payload: { bulk_action: id(), job: id() },
});
