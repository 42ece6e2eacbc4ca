import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const customerFeed = feedKinds(
  'customer',
  { customer: id() },
  {
    created: 'A customer signed up or was added by staff.',
    updated: 'A customer was updated. `changed` lists the properties.',
    erased: 'A customer was erased: nothing says who they were any more. What must be kept stays under their id.',
    deleted: 'A customer was deleted. They had neither bookings nor memberships.',
  },
);
