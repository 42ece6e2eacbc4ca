import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { categoryFeed, membershipFeed } from './feed.ts';
import { id, listOf, oneOf, text } from '../../../kernel/api/kinds.ts';
import { putInOrder } from '../../../kernel/db/order.ts';

/** The answer of what changes many things and shows none. */
export const done = { status: oneOf(['OK']), detail: text().nullable() };
export const DONE = { status: 'OK', detail: null };

const body = { ordering: listOf(id(), { min: 2 }) };

export const orderMemberships = action({
  method: 'PATCH',
  path: '/memberships/ordering',
  summary: 'Reorder memberships',
  description: 'The ones that you name come first, in that order. The others follow in their current order.',
  who: staffWith('super_admin'),
  body,
  returns: answer(done),
  run: async ({ work, body: { ordering } }) => {
    const { moved } = await putInOrder(work, 'membership', ordering, 'ordering');
    for (const id of moved) work.record(membershipFeed.updated, id, { membership: id, changed: ['order'] });
    return DONE;
  },
});

export const orderCategories = action({
  method: 'PATCH',
  path: '/membership_categories/ordering',
  summary: 'Reorder membership categories',
  description: 'The ones that you name come first, in that order. The others follow in their current order.',
  who: staffWith('customers'),
  body,
  returns: answer(done),
  run: async ({ work, body: { ordering } }) => {
    const { moved } = await putInOrder(work, 'membership_category', ordering, 'ordering');
    for (const id of moved) work.record(categoryFeed.updated, id, { membership_category: id, changed: ['order'] });
    return DONE;
  },
});
