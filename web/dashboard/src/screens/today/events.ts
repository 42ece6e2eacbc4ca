/** The events of a day, as both halves of the screen look at them. */
import { useCall } from '../../app/calls.ts';

/** More than a business has in a day. */
const MOST = 250;

export function useEvents(date: string, venue: number | null) {
  return useCall('GET /events', {
    query: {
      local_starts_at_gte: `${date}T00:00`,
      local_starts_at_lte: `${date}T23:59:59`,
      sort: ['start'],
      page_size: MOST,
      ...(venue !== null && { venues: [venue] }),
    },
    fields: [
      'id',
      'name',
      'status',
      'starts_at',
      'ends_at',
      'timezone',
      'attending_count',
      'waiting_count',
      'max_occupancy',
      'is_full',
      'venue.name',
      'venue_room.name',
      'instructors.name',
    ],
  });
}

export type DayEvent = NonNullable<ReturnType<typeof useEvents>['data']>['results'][number];
