import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';

export const externalCalendarAccountFeed = feedKinds(
  'external_calendar_account',
  { external_calendar_account: id(), staff: ref('staff') },
  {
    created: 'A staff member’s calendar was connected.',
    deleted: 'A staff member’s calendar was disconnected.',
    failing: 'A connected calendar could not be read for three days.',
  },
);
export const staffCalendarSettingFeed = feedKinds(
  'staff_calendar_setting',
  { staff_calendar_setting: id(), external_calendar_account: id(), staff: ref('staff') },
  {
    created: 'A connected calendar is used for something.',
    updated: 'The use of a connected calendar was changed; `changed` names the properties.',
    deleted: 'A connected calendar is no longer used.',
  },
);

export const customerLinksFeed = feedKinds(
  'customer',
  { customer: ref('customer') },
  {
    icalendar_links_reset:
      'The secret address of the calendar of a customer or their family was replaced by a new one.',
  },
);
export const instructorLinksFeed = feedKinds(
  'instructor',
  { instructor: ref('instructor') },
  {
    icalendar_links_reset: 'The secret address of the calendar of an instructor was replaced by a new one.',
  },
);
export const venueRoomLinksFeed = feedKinds(
  'venue_room',
  { venue_room: ref('venue_room') },
  {
    icalendar_links_reset: 'The secret address of the calendar of a room was replaced by a new one.',
  },
);
export const providerLinksFeed = feedKinds(
  'provider',
  { provider: ref('provider') },
  {
    icalendar_links_reset: 'The secret address of the calendar of the business was replaced by a new one.',
  },
);

export const CALENDAR_FEED = [
  customerLinksFeed,
  instructorLinksFeed,
  venueRoomLinksFeed,
  providerLinksFeed,
  externalCalendarAccountFeed,
  staffCalendarSettingFeed,
];
