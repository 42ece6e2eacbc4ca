/** What can be booked at a time that somebody chooses. */
import { may, type Business } from '../../app/business.ts';
import { maySeeCustomers } from '../../app/customers.ts';
import { useCall } from '../../app/calls.ts';

/** More than a business has. */
const MAX_ROWS = 100;

export type OfferingKind = 'appointment' | 'room_rental';

export interface Offered {
  readonly id: number;
  readonly name: string;
  readonly kind: OfferingKind;
}

export function useOffered() {
  const { data, error, refetch } = useCall('GET /offering_types', {
    query: { status: 'active', sort: ['name'], page_size: MAX_ROWS },
    fields: ['id', 'name', 'schedule_type'],
  });
  const offered = data?.results.flatMap(({ id, name, schedule_type: kind }): Offered[] =>
    kind === 'appointment' || kind === 'room_rental' ? [{ id, name, kind }] : [],
  );
  return { offered, error, again: () => void refetch() };
}

/** Who may book for somebody, and sees whom. */
export const mayBook = (business: Business): boolean =>
  may(business, 'attendances', 'manage_events', 'pos') && maySeeCustomers(business);
