/** The order in which files are imported: rows of a kind refer to rows of earlier kinds. */
import type { KindName } from '../columns/index.ts';

/** The kinds that rows of a kind refer to, in the order of the import. */
export const NEEDS: Readonly<Record<KindName, readonly KindName[]>> = {
  staff: [],
  customers: [],
  schedule: [],
  memberships: ['customers'],
  bookings: ['customers', 'schedule'],
  appointments: ['customers'],
  balances: ['customers'],
  gift_cards: [],
  visits: ['customers'],
};

export const ORDER = Object.keys(NEEDS) as KindName[];
