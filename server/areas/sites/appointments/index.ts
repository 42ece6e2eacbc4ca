import type { Area } from '../../../kernel/api/area.ts';

export { slotRoutes } from './routes.ts';
export { type Offered, ownTimesOf } from './offered.ts';
export { bookRoutes } from './routes.ts';

/** Pages of free times, where people book and move appointments and rentals. */
export const appointments: Area = {
  name: 'appointments',
  description: 'Pages of free times, where people book and move appointments and rentals.',
};
