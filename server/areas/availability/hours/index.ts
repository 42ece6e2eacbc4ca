import type { Area } from '../../../kernel/api/area.ts';

export const hours: Area = {
  name: 'hours',
  description: 'When instructors and rooms can be booked: weekly hours, other hours on some dates, and blocked times.',
  tables: [],
  resources: [],
  endpoints: [],
};
