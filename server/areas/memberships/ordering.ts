import { action, answer, staffWith } from '../../kernel/api/endpoint.ts';
import { categoryFeed, membershipFeed } from './feed.ts';
import { id, listOf, oneOf, text } from '../../kernel/api/kinds.ts';
import { putInOrder } from '../../kernel/db/order.ts';

/** The answer of what changes many things and shows none. */
export const done = { status: oneOf(['OK']), detail: text().nullable() };
export const DONE = { status: 'OK', detail: null };

const body = { ordering: listOf(id(), { min: 2 }) };

export const orderMemberships = action({
  method: 'PATCH',
  path: '/memberships/ordering',
  summary: 'Put memberships in order',
  description: 'Those that are named come first, as named; the others follow in the order that they had.',
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
  summary: 'Put categories of memberships in order',
  description: 'Those that are named come first, as named; the others follow in the order that they had.',
  who: staffWith('customers'),
  body,
  returns: answer(done),
  run: async ({ work, body: { ordering } }) => {
    const { moved } = await putInOrder(work, 'membership_category', ordering, 'ordering');
    for (const id of moved) work.record(categoryFeed.updated, id, { membership_category: id, changed: ['order'] });
    return DONE;
  },
});
