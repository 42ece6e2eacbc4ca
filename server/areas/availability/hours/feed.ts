import { date, id, listOf } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const availabilityScheduleFeed = feedKinds(
  'availability_schedule',
  { availability_schedule: id() },
  {
    created: 'An availability schedule was created.',
    updated: 'An availability schedule was updated. `changed` lists the properties; `overrides` is one of them.',
    deleted: 'An availability schedule was deleted, with its overrides.',
  },
);

export const availabilityScheduleOfferingTypeFeed = feedKinds(
  'availability_schedule_offering_type',
  { availability_schedule_offering_type: id(), availability_schedule: id(), offering_type: id() },
  {
    created: 'An availability schedule is now for an offering type.',
    updated: { description: 'The rooms that an availability schedule uses for an offering type were changed.' },
    deleted: 'An availability schedule no longer names an offering type.',
  },
);

export const instructorBlockedTimesFeed = feedKinds(
  'instructor',
  { instructor: id(), dates: listOf(date()) },
  {
    blocked_times_updated: 'Blocked times of an instructor were changed. `dates` lists the days, in order.',
  },
);

export const venueBlockedTimesFeed = feedKinds(
  'venue',
  { venue: id(), dates: listOf(date()) },
  {
    blocked_times_updated: 'Blocked times of a venue were changed. `dates` lists the days, in order.',
  },
);

export const FEED = [
  availabilityScheduleFeed,
  availabilityScheduleOfferingTypeFeed,
  instructorBlockedTimesFeed,
  venueBlockedTimesFeed,
];
