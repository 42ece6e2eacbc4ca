/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  guest_booking: {
    ...deleted('guest_bookings', {
      hidden: ['secret_hash', 'browser_hash', 'code_hash', 'email_key', 'page', 'tries'],
    }),
    stays: 'The link in the mail leads to the old installation, and only the browser that booked knows the page.',
  },
  guest_purchase: {
    stays: 'A form that is sent again is sent to the installation that showed it.',
  },
};
