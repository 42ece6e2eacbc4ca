import type { Area } from '../../../kernel/api/area.ts';

export { passRoutes } from './routes.ts';
export { bookingWays, passWays } from './wallet-links.ts';

/** Bookings and the code for the door, for the wallet of a phone. */
export const passes: Area = {
  name: 'passes',
  description: 'Bookings and the code for the door, for the wallet of a phone.',
};
