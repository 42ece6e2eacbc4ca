import type { Area } from '../../../kernel/api/area.ts';

export { externalBusy } from './outside/busy.ts';

export const calendars: Area = {
  name: 'calendars',
  description: 'Calendars that others subscribe to, and busy times from the calendars of others.',
  tables: ['external_calendar', 'external_calendar_account', 'external_calendar_event', 'staff_calendar_setting'],
  resources: [],
  endpoints: [],
};
