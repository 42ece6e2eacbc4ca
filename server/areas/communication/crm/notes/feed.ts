import { id } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

export const customerNoteFeed = feedKinds(
  'customer_note',
  { customer_note: id(), customer: id() },
  {
    created: 'A note about a customer was created. Its text is not included.',
    updated: 'A note about a customer was changed; `changed` names the properties.',
    deleted: 'A note about a customer was deleted.',
  },
);

export const noteFeed = [customerNoteFeed];
