import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const registrationBlockFeed = feedKinds(
  'customer_registration_block',
  { customer_registration_block: id(), customer: id() },
  {
    created: 'A customer was blocked from booking. The reason is not included.',
    updated: 'A registration block was changed, lifted or applied again; `changed` names the properties.',
  },
);

export const customerIssueFeed = feedKinds(
  'customer_issue',
  { customer_issue: id(), customer: id() },
  {
    created: 'A customer issue was created. Its name is not included.',
    updated: 'A customer issue was changed; `changed` names the properties.',
    deleted: 'A customer issue was deleted.',
  },
);
