/** Venues, rooms, instructors and offerings, for forms and filters. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { clientOf } from './client.ts';
import { keyOf } from './calls.ts';
import { useBusiness } from './business.ts';

/** Returns all entries of a short list. */
function useEvery<T>(
  operation: 'GET /venues' | 'GET /venue_rooms' | 'GET /instructors' | 'GET /offering_types',
  read: () => AsyncIterable<T>,
) {
  const { id } = useBusiness();
  return useQuery({ queryKey: keyOf(id, operation, { every: true }), queryFn: () => Array.fromAsync(read()) });
}

const active = { status: 'active', page_size: 100 } as const;

export interface Venue {
  readonly id: number;
  readonly name: string;
  readonly timezone: string;
  readonly is_online: boolean;
}
export interface Room {
  readonly id: number;
  readonly name: string;
  readonly venue: number;
}
export interface Instructor {
  readonly id: number;
  readonly name: string;
}
export interface Offering {
  readonly id: number;
  readonly name: string;
  readonly schedule_type: string;
  readonly instructors: readonly Instructor[];
}

export interface Places {
  readonly venues: readonly Venue[];
  readonly rooms: readonly Room[];
  readonly instructors: readonly Instructor[];
  readonly offerings: readonly Offering[];
}

/** Returns what events can be planned with, without archived entries. `error`: the first failed read */
export function usePlaces(): { readonly places: Places | null; readonly error: Error | null } {
  const { id } = useBusiness();
  const client = clientOf(id);
  const venues = useEvery('GET /venues', () =>
    client.call('GET /venues', { query: active, fields: ['id', 'name', 'timezone', 'is_online'] }),
  );
  const rooms = useEvery('GET /venue_rooms', () =>
    client.call('GET /venue_rooms', { query: active, fields: ['id', 'name', 'venue.id'] }),
  );
  const instructors = useEvery('GET /instructors', () =>
    client.call('GET /instructors', { query: active, fields: ['id', 'name'] }),
  );
  const offerings = useEvery('GET /offering_types', () =>
    client.call('GET /offering_types', {
      query: { ...active, sort: ['name'] },
      fields: ['id', 'name', 'schedule_type', 'instructors.id', 'instructors.name'],
    }),
  );
  const places = useMemo(
    () =>
      venues.data && rooms.data && instructors.data && offerings.data
        ? {
            venues: venues.data,
            rooms: rooms.data.flatMap(({ venue, ...room }) => (venue ? [{ ...room, venue: venue.id }] : [])),
            instructors: instructors.data.toSorted((a, b) => a.name.localeCompare(b.name)),
            offerings: offerings.data,
          }
        : null,
    [venues.data, rooms.data, instructors.data, offerings.data],
  );
  return { places, error: venues.error ?? rooms.error ?? instructors.error ?? offerings.error };
}
