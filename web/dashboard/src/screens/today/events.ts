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

export type When = 'now' | 'next' | 'later' | 'over';

/** In which part of the day each event falls. `next` are those that start first from now on. */
export function partsOf<E extends Pick<DayEvent, 'starts_at' | 'ends_at'>>(
  events: readonly E[],
  now: number,
): ReadonlyMap<When, readonly E[]> {
  const starts = (event: E): number => Date.parse(event.starts_at);
  const coming = events.filter((event) => starts(event) > now);
  const first = Math.min(...coming.map(starts));
  const partOf = (event: E): When => {
    if (Date.parse(event.ends_at) <= now) return 'over';
    if (starts(event) <= now) return 'now';
    return starts(event) === first ? 'next' : 'later';
  };
  return Map.groupBy(events, partOf);
}
