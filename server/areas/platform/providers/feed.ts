import { listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const providerUpdated = feedItemKind('provider.updated', {
  object: 'provider',
  description: 'A setting of the business changed. `changed` lists the properties.',
  payload: { provider: ref('provider'), changed: listOf(text()) },
});
