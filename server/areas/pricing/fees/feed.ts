import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const purchaseFeeFeed = feedKinds(
  'purchase_fee',
  { purchase_fee: id() },
  {
    created: 'A fee or a tax was created.',
    updated: 'A fee or a tax was changed, archived or unarchived; `changed` names the properties.',
    deleted: 'A fee or a tax that was never charged was deleted.',
  },
);
