import { action, answer, staffWith } from '../../kernel/api/endpoint.ts';
import { id, listOf } from '../../kernel/api/kinds.ts';
import { offeringTypeUpdated } from './feed.ts';
import { putInOrder } from '../../kernel/db/order.ts';

const ids = { offering_types: listOf(id(), { min: 1 }) };

export const orderOfferingTypes = action({
  method: 'PATCH',
  path: '/offering_types/ordering',
  summary: 'Put offering types in order',
  description: 'Those that are named come first, as named; the others follow in the order that they had. Answers all ids in their new order.',
  who: staffWith('super_admin', 'manage_events'),
  body: ids,
  returns: answer({ offering_types: listOf(id()) }),
  run: async ({ work, body: { offering_types: named } }) => {
    const { order, moved } = await putInOrder(work, 'offering_type', named, 'offering_types');
    for (const one of moved) work.record(offeringTypeUpdated, one, { offering_type: one, changed: ['order'] });
    return { offering_types: order };
  },
});
