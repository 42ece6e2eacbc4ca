import type { Area } from '../../../kernel/api/area.ts';

export const calendars: Area = {
  name: 'calendars',
  description: 'Calendars that others subscribe to, and busy times from the calendars of others.',
  tables: [],
  resources: [],
  endpoints: [],
};
