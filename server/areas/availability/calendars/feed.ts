import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import type { Shape } from '../../../kernel/base/fields/field.ts';
import { id, listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

const ofAccount = { external_calendar_account: id(), staff: ref('staff') };
const aboutAccount = { object: 'external_calendar_account', payload: ofAccount };
const ofSetting = { staff_calendar_setting: id(), ...ofAccount };
const aboutSetting = { object: 'staff_calendar_setting', payload: ofSetting };

export const accountCreated = feedItemKind('external_calendar_account.created', {
  ...aboutAccount,
  description: 'A staff member’s calendar was connected.',
});
export const accountDeleted = feedItemKind('external_calendar_account.deleted', {
  ...aboutAccount,
  description: 'A staff member’s calendar was disconnected.',
});
export const accountFailing = feedItemKind('external_calendar_account.failing', {
  ...aboutAccount,
  description: 'A connected calendar could not be read for three days.',
});
export const settingCreated = feedItemKind('staff_calendar_setting.created', {
  ...aboutSetting,
  description: 'A connected calendar is used for something.',
});
export const settingUpdated = feedItemKind('staff_calendar_setting.updated', {
  ...aboutSetting,
  description: 'What a connected calendar is used for was changed; `changed` names the properties.',
  payload: { ...ofSetting, changed: listOf(text()) },
});
export const settingDeleted = feedItemKind('staff_calendar_setting.deleted', {
  ...aboutSetting,
  description: 'A connected calendar is no longer used.',
});

const reset = <const Kind extends string, P extends Shape>(object: Kind, what: string, payload: P) =>
  feedItemKind(`${object}.icalendar_links_reset`, {
    object,
    description: `The secret address of the calendar of ${what} was replaced by a new one.`,
    payload,
  });

export const customerLinksReset = reset('customer', 'a customer or their family', { customer: ref('customer') });
export const instructorLinksReset = reset('instructor', 'an instructor', { instructor: ref('instructor') });
export const roomLinksReset = reset('venue_room', 'a room', { venue_room: ref('venue_room') });
export const providerLinksReset = reset('provider', 'the business', { provider: ref('provider') });

export const CALENDAR_FEED = [
  customerLinksReset,
  instructorLinksReset,
  roomLinksReset,
  providerLinksReset,
  accountCreated,
  accountDeleted,
  accountFailing,
  settingCreated,
  settingUpdated,
  settingDeleted,
];
