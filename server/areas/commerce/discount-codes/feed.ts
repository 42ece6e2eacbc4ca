import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';

export const discountCodeFeed = feedKinds(
  'discount_code',
  { discount_code: id() },
  {
    created: 'A discount code was created.',
    updated: 'A discount code was changed, activated or deactivated; `changed` names the properties.',
    used: { description: 'A checkout with a discount code was completed.', payload: { customer: ref('customer') } },
  },
);

export const discountCodeGroupFeed = feedKinds(
  'discount_code_group',
  { discount_code_group: id() },
  {
    created: 'A group of discount codes was created.',
  },
);

export const discountCodeApplicabilityFeed = feedKinds(
  'discount_code_applicability',
  { discount_code_applicability: id(), discount_code: ref('discount_code') },
  {
    created: 'A discount code was allowed for an object, or the object was excluded.',
    updated: 'The rules of a discount code for an object were changed; `changed` names the properties.',
    deleted: 'A discount code no longer says anything about an object.',
  },
);

export const FEED = [discountCodeFeed, discountCodeGroupFeed, discountCodeApplicabilityFeed];
