import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const applicationFeed = feedKinds(
  'application',
  { application: id() },
  {
    created: 'An application was created.',
    updated:
      'An application was updated, including its secrets and direct authentication. `changed` lists the properties.',
    deleted: 'An application was deleted, and all its tokens ended.',
  },
);

export const assistantFeed = feedKinds(
  'assistant',
  { assistant: id() },
  { deleted: 'The business switched off the assistant of a person.' },
);
