import { answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { id, listOf } from '../../../kernel/base/fields/kinds.ts';
import { offeringType } from './offering-type.ts';
import { offeringTypeFeed } from './feed.ts';
import { ordering } from '../../../kernel/api/resource-changes.ts';

export const orderOfferingTypes = ordering(offeringType, {
  path: '/offering_types',
  nouns: 'offering types',
  summary: 'Set the order of offering types',
  description:
    'The ids that you send come first, in that order. The others follow in their previous order. Returns all ids in their new order.',
  who: staffWith('super_admin', 'manage_events'),
  sent: { as: 'offering_types', min: 1 },
  shows: {
    returns: answer({ offering_types: listOf(id()) }),
    of: (order) => ({ offering_types: order }),
  },
  moved: (work, id) => work.record(offeringTypeFeed.updated, id, { offering_type: id, changed: ['order'] }),
});
