import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { CALENDAR_FEED } from './feed.ts';
import { CALENDAR_PROBLEMS } from './problems.ts';
import { changeAccounts } from './outside/change-accounts.ts';
import { busyElsewhere } from '../hours/index.ts';
import { busyPreview, connectedCalendars } from './outside/preview.ts';
import { calendarEngine } from './outside/engine.ts';
import { changeSettings } from './outside/change-settings.ts';
import {
  externalCalendar,
  externalCalendarAccount,
  externalCalendarEvent,
  staffCalendarSetting,
} from './outside/resources.ts';
import { FAILING_NOTICE, failingReader } from './outside/notify-owner.ts';
import { feedEndpoints } from './feeds/endpoints.ts';
import { findOutside } from './outside/find.ts';
import { instructorLinks, providerLinks } from './feeds/properties.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { calendarDoors } from './feeds/door.ts';
export { printCalendar } from './feeds/print.ts';
export { readApart as readCalendar } from './outside/read.ts';
export { Unreadable as UnreadableCalendar } from './outside/outside-calendar.ts';
export { revisionOf } from './feeds/entries.ts';
export { externalBusy } from './outside/busy.ts';

export const calendars: Area = {
  name: 'calendars',
  description: 'Calendars that others subscribe to, and busy times from the calendars of others.',
  namesInPath: [businessInPath(/^\/calendars\/(\d{1,15})-/)],
  tables: TABLES,
  resources: [],
  endpoints: feedEndpoints,
  properties: {
    instructor: { fields: { icalendar_links: instructorLinks } },
    provider: { fields: { icalendar_links: providerLinks } },
  },
  topics: [
    {
      name: 'external_calendars',
      description: 'Calendars elsewhere that staff connect, so that nobody books them while they are busy.',
      resources: [externalCalendarAccount, externalCalendar, externalCalendarEvent, staffCalendarSetting],
      endpoints: [...findOutside, ...changeAccounts, ...changeSettings],
    },
  ],
  problems: CALENDAR_PROBLEMS,
  feed: CALENDAR_FEED,
  readers: [failingReader],
  staffNotices: [FAILING_NOTICE],
  engines: [calendarEngine],
  consequences: [busyPreview],
  fills: [busyElsewhere.with(connectedCalendars)],
  constraints: {
    external_calendar_account_once: () =>
      new Problem('already_exists', 'url: This calendar is already connected.', {
        url: ['This calendar is already connected.'],
      }),
    staff_calendar_setting_once: () =>
      new Problem('already_exists', 'The calendar already has a setting. Update that one.', {
        calendar_source_calendar_id: ['The calendar already has a setting. Update that one.'],
      }),
  },
};
