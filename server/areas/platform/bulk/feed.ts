import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const bulkActionFeed = feedKinds(
  'bulk_action',
  { bulk_action: id(), job: id() },
  {
    created: 'A bulk action was requested. A job carries it out.',
    finished: 'A bulk action finished. Each of its objects has a result.',
  },
);
