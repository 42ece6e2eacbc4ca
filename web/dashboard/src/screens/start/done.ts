/** The progress of the set-up, from the data of the business. */
import { useCall } from '../../app/calls.ts';

export type Step = 'venue' | 'offering' | 'event' | 'membership' | 'staff';

/** Returns how many objects each step has created; absent until it is read. The owner does not count as a colleague. */
export function useDone(): Readonly<Partial<Record<Step, number>>> {
  const one = { page_size: 1 } as const;
  const venues = useCall('GET /venues', { query: { status: 'active', ...one }, fields: ['id'] });
  const offerings = useCall('GET /offering_types', { query: { status: 'active', ...one }, fields: ['id'] });
  const events = useCall('GET /events', { query: one, fields: ['id'] });
  const memberships = useCall('GET /memberships', { query: { archived: false, ...one }, fields: ['id'] });
  const staff = useCall('GET /staff', { query: { status: 'active', ...one }, fields: ['id'] });
  return {
    venue: venues.data?.count,
    offering: offerings.data?.count,
    event: events.data?.count,
    membership: memberships.data?.count,
    staff: staff.data && staff.data.count - 1,
  };
}
