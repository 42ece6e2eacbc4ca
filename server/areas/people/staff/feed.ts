import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const staffFeed = feedKinds(
  'staff',
  { staff: id() },
  {
    created: 'A staff member was created.',
    updated: 'A staff member was updated, including their permissions. `changed` lists the properties.',
  },
);

export const instructorFeed = feedKinds(
  'instructor',
  { instructor: id() },
  {
    created: { description: 'An instructor was created from a staff member.', payload: { staff: id() } },
    updated: 'An instructor was updated. `changed` lists the properties.',
  },
);
