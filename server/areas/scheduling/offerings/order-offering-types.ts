import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { id, listOf } from '../../../kernel/api/kinds.ts';
import { offeringTypeUpdated } from './feed.ts';
import { putInOrder } from '../../../kernel/db/order.ts';

const ids = { offering_types: listOf(id(), { min: 1 }) };

export const orderOfferingTypes = action({
  method: 'PATCH',
  path: '/offering_types/ordering',
  summary: 'Set the order of offering types',
  description:
    'The ids that you send come first, in that order. The others follow in their previous order. Returns all ids in their new order.',
  who: staffWith('super_admin', 'manage_events'),
  body: ids,
  returns: answer({ offering_types: listOf(id()) }),
  run: async ({ work, body: { offering_types: named } }) => {
    const { order, moved } = await putInOrder(work, 'offering_type', named, 'offering_types');
    for (const one of moved) work.record(offeringTypeUpdated, one, { offering_type: one, changed: ['order'] });
    return { offering_types: order };
  },
});
