/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { kept, NUMBERS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('event', 'event_instructor', 'event_registration_timeline', 'event_series'),
  attendance: kept('bookings', NUMBERS, {
    unfinished: [
      {
        one: 'upcoming booking',
        many: 'upcoming bookings',
        remedy: 'Cancel them first.',
        when: (now) => sql`t.status = 'registered' AND EXISTS (SELECT FROM event e WHERE e.provider_id = t.provider_id
          AND e.id = t.event_id AND e.starts_at > ${now})`,
      },
    ],
  }),
  checkin: kept('check_ins', NUMBERS),
  seat_hold: kept('held_seats', NUMBERS, {
    unfinished: [
      {
        one: 'seat held for a payment',
        many: 'seats held for payments',
        remedy: 'Cancel the checkout, or wait until it expires.',
        when: () => sql`true`,
      },
    ],
  }),
  waitlist_spot: kept('waitlist_spots', NUMBERS, {
    unfinished: [
      {
        one: 'spot on a waitlist',
        many: 'spots on waitlists',
        remedy: 'Take them off the waitlists first.',
        when: () => sql`t.ended_at IS NULL`,
      },
    ],
  }),
};
