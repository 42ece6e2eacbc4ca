import type { Area } from '../../../kernel/api/area.ts';

export { readHours, type Hours } from './read-hours.ts';
export { hoursOn, joined, openTimes, spanOf, without, type Span } from './rules/open-times.ts';
export type { TimeRange } from './rules/ranges.ts';

export const hours: Area = {
  name: 'hours',
  description: 'When instructors and rooms can be booked: weekly hours, other hours on some dates, and blocked times.',
  tables: [
    'availability_override',
    'availability_schedule',
    'availability_schedule_offering_type',
    'availability_schedule_offering_type_room',
    'blocked_time',
  ],
  resources: [],
  endpoints: [],
};
