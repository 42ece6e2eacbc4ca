import { instructorFilters } from './of-instructors.ts';
import { changeCategories } from './change-categories.ts';
import { changeOfferingTypes } from './change-offering-types.ts';
import { changeTimelines } from './change-timelines.ts';
import { findOfferings } from './find-offerings.ts';
import { offeringType } from './offering-type.ts';
import { offeringTypeCategory } from './category.ts';
import { offeringTypeCategoryFeed, offeringTypeFeed, registrationTimelineFeed } from './feed.ts';
import { orderOfferingTypes } from './order-offering-types.ts';
import { registrationTimeline } from './timeline.ts';
import { imageUses, usedIn } from '../../platform/images/index.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { offeringType, onOfferToMembers } from './offering-type.ts';
export { insertCategories, insertOfferingTypes } from './import.ts';
export { createCategory, createOfferingType } from './writes.ts';

export const offerings: Area = {
  name: 'offerings',
  description: 'The offerings of the business, their categories, and when they can be booked.',
  tables: TABLES,
  needsViews: ['customer_membership_owned', 'membership_coverage'],
  filters: { '/instructors': instructorFilters },
  resources: [offeringTypeCategory, offeringType, registrationTimeline],
  endpoints: [...findOfferings, ...changeCategories, ...changeOfferingTypes, orderOfferingTypes, ...changeTimelines],
  fills: [
    imageUses.with(
      usedIn('offering_type', 'offering_type', 'The picture of an offering type.'),
      usedIn('offering_type_category', 'offering_type_category', 'The picture of a category.'),
      usedIn('registration_timeline', 'registration_timeline', 'The picture of a registration timeline.'),
    ),
  ],
  feed: [offeringTypeCategoryFeed, offeringTypeFeed, registrationTimelineFeed],
};
