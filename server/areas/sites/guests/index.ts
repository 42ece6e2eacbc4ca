import type { Area } from '../../../kernel/api/area.ts';
import { forgetGuestForms, guestReader } from './afterwards.ts';
import { GUEST_FEED } from './feed.ts';
import { lookJob, sweepGuestBookings } from './booking.ts';
import { mailJob } from './mail.ts';
import { TABLES } from './tables.ts';

export { confirmFirst } from './free-purchase.ts';
export { guestConfirmRoutes } from './confirm.ts';
export type { Buy, Selling } from './buy.ts';
export { guestRoute } from './route.ts';
export { guestLink } from './views.ts';

/** Booking and buying without an account. */
export const guests: Area = {
  name: 'guests',
  description: 'Booking and buying without an account.',
  tables: TABLES,
  readers: [guestReader],
  feed: GUEST_FEED,
  jobs: [lookJob, mailJob],
  sweep: async (tx, now) => {
    await forgetGuestForms(tx, now);
    await sweepGuestBookings(tx, now);
  },
  sweepTimes: [],
};
