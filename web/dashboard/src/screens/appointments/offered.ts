/** Offerings that can be booked at a time of the customer's choice. */
import { may, type Business } from '../../app/business.ts';
import { maySeeCustomers } from '../../app/customers.ts';
import { useCall } from '../../app/calls.ts';

/** Higher than the number that any business has. */
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

export const MAY_BOOK = ['attendances', 'manage_events', 'pos'] as const;

/** Returns true if the person may book for customers, and see them. */
export const mayBook = (business: Business): boolean => may(business, ...MAY_BOOK) && maySeeCustomers(business);
