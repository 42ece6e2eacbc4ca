import { listOf, ref, text } from '../../../kernel/api/kinds.ts';
import { feedItemKind } from '../../../kernel/feed/feed-item.ts';

export const providerUpdated = feedItemKind('provider.updated', {
  object: 'provider',
  description: 'A setting of the business changed. `changed` lists the properties.',
  payload: { provider: ref('provider'), changed: listOf(text()) },
});
