import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const familyInviteFeed = feedKinds(
  'family_invite',
  { family_invite: id(), customer: id() },
  {
    created: 'A customer invited another parent to their family. The name and address are not included.',
    claimed: 'A person joined a family by an invite; `customer` is who joined.',
    deleted: 'An invite to a family was withdrawn.',
  },
);

export const customerFeed = feedKinds(
  'customer',
  { customer: id() },
  {
    created: 'A customer signed up or was added by staff.',
    updated: 'A customer was updated. `changed` lists the properties.',
    erased: 'A customer was erased: nothing says who they were any more. What must be kept stays under their id.',
    entry_code_reset: 'The entry code of a customer was replaced by a new one.',
    deleted: 'A customer was deleted. They had neither bookings nor memberships.',
  },
);
