import { businessClosure } from './business-closure.ts';
import { findClosures } from './find-closures.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { closedDates, closedOn, type ClosedDate } from './closed-dates.ts';

export const closures: Area = {
  name: 'closures',
  description: 'Days on which the business is closed: what they touch, and how they are undone.',
  tables: ['business_closure', 'business_closure_event'],
  resources: [businessClosure],
  endpoints: findClosures,
};
