import { writeAppointments } from './appointments.ts';
import { writeBalances } from './balances.ts';
import { writeBookings } from './bookings.ts';
import { writeCustomers } from './customers.ts';
import { writeGiftCards } from './gift-cards.ts';
import { writeMemberships } from './memberships.ts';
import { writeSchedule } from './schedule.ts';
import { writeStaff } from './staff.ts';
import { writeVisits } from './visits.ts';
import type { KindName } from '../columns/index.ts';
import type { WriteRows } from './portion.ts';

export type { Fate, Issue, Outcome, Outcomes, Portion, Seen } from './portion.ts';

export const WRITES: Readonly<Record<KindName, WriteRows>> = {
  customers: writeCustomers,
  memberships: writeMemberships,
  schedule: writeSchedule,
  staff: writeStaff,
  bookings: writeBookings,
  appointments: writeAppointments,
  balances: writeBalances,
  gift_cards: writeGiftCards,
  visits: writeVisits,
};

/** The objects that the rows of each kind become, by their names in the interface. */
export const OBJECTS: Readonly<Record<KindName, string>> = {
  customers: 'customer',
  memberships: 'customermembership',
  schedule: 'event',
  staff: 'staff',
  bookings: 'attendance',
  appointments: 'attendance',
  balances: 'account_entry',
  gift_cards: 'gift_card',
  visits: 'past_visit',
};
