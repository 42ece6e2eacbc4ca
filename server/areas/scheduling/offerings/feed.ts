import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const offeringTypeFeed = feedKinds(
  'offering_type',
  { offering_type: id() },
  {
    created: 'An offering type was created.',
    updated: 'An offering type was updated, including its position in lists. `changed` lists the properties.',
  },
);

export const registrationTimelineFeed = feedKinds(
  'registration_timeline',
  { registration_timeline: id() },
  {
    created: 'A registration timeline was created.',
    updated: 'A registration timeline was updated. `changed` lists the properties.',
    deleted: 'An unused registration timeline was deleted.',
  },
);

export const offeringTypeCategoryFeed = feedKinds(
  'offering_type_category',
  { offering_type_category: id() },
  {
    created: 'A category of offering types was created.',
    updated: 'A category of offering types was updated. `changed` lists the properties.',
  },
);
