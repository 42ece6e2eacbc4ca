import { APPOINTMENTS } from './appointments.ts';
import { BALANCES } from './balances.ts';
import { BOOKINGS } from './bookings.ts';
import { CUSTOMERS } from './customers.ts';
import { GIFT_CARDS } from './gift-cards.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { SCHEDULE } from './schedule.ts';
import { STAFF } from './staff.ts';
import { VISITS } from './visits.ts';
import type { KindColumns, KindName } from './columns.ts';

export {
  KINDS,
  PECULIAR,
  PRODUCTS,
  plainName,
  SHARED,
  type KindColumns,
  type KindName,
  type Product,
} from './columns.ts';

export const COLUMNS: Readonly<Record<KindName, KindColumns>> = {
  customers: CUSTOMERS,
  memberships: MEMBERSHIPS,
  schedule: SCHEDULE,
  staff: STAFF,
  bookings: BOOKINGS,
  appointments: APPOINTMENTS,
  balances: BALANCES,
  gift_cards: GIFT_CARDS,
  visits: VISITS,
};

/** Returns the required properties that no column has; alternatives are joined. */
export const missingIn = (kind: KindName, mapped: ReadonlySet<string>): string[] =>
  COLUMNS[kind].needs.flatMap((one) => (one.some((property) => mapped.has(property)) ? [] : [one.join(' | ')]));
