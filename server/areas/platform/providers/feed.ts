import { ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const providerFeed = feedKinds(
  'provider',
  { provider: ref('provider') },
  {
    updated: 'A setting of the business changed. `changed` lists the properties.',
  },
);
