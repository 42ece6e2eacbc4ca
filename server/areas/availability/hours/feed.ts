import { date, id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const scheduleCreated = feedItemKind('availability_schedule.created', {
  object: 'availability_schedule',
  description: 'An availability schedule was created.',
  payload: { availability_schedule: id() },
});

export const scheduleUpdated = feedItemKind('availability_schedule.updated', {
  object: 'availability_schedule',
  description: 'An availability schedule was updated. `changed` lists the properties; `overrides` is one of them.',
  payload: { availability_schedule: id(), changed: listOf(text()) },
});

export const scheduleDeleted = feedItemKind('availability_schedule.deleted', {
  object: 'availability_schedule',
  description: 'An availability schedule was deleted, with its overrides.',
  payload: { availability_schedule: id() },
});

const link = { availability_schedule_offering_type: id(), availability_schedule: id(), offering_type: id() };

export const linkCreated = feedItemKind('availability_schedule_offering_type.created', {
  object: 'availability_schedule_offering_type',
  description: 'An availability schedule is now for an offering type.',
  payload: link,
});

export const linkUpdated = feedItemKind('availability_schedule_offering_type.updated', {
  object: 'availability_schedule_offering_type',
  description: 'The rooms that an availability schedule uses for an offering type were changed.',
  payload: link,
});

export const linkDeleted = feedItemKind('availability_schedule_offering_type.deleted', {
  object: 'availability_schedule_offering_type',
  description: 'An availability schedule no longer names an offering type.',
  payload: link,
});

export const instructorBlocked = feedItemKind('instructor.blocked_times_updated', {
  object: 'instructor',
  description: 'Blocked times of an instructor were changed. `dates` lists the days, in order.',
  payload: { instructor: id(), dates: listOf(date()) },
});

export const venueBlocked = feedItemKind('venue.blocked_times_updated', {
  object: 'venue',
  description: 'Blocked times of a venue were changed. `dates` lists the days, in order.',
  payload: { venue: id(), dates: listOf(date()) },
});

export const FEED = [
  scheduleCreated,
  scheduleUpdated,
  scheduleDeleted,
  linkCreated,
  linkUpdated,
  linkDeleted,
  instructorBlocked,
  venueBlocked,
];
