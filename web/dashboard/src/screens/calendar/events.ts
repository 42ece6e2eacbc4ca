/** Reads the events of a range of days for the calendar. */
import { useMemo } from 'react';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import type { ItemOf, Page } from 'rollcall-sdk';
import { daysAfter } from '../../app/days.ts';
import { clientOf } from '../../app/client.ts';
import { keyOf, useCall } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { useVersioned } from '../../app/versioned.ts';
import { DAY, parseWall, wallOf } from './wall.ts';

export const FIELDS = [
  'id',
  'name',
  'status',
  'starts_at',
  'ends_at',
  'timezone',
  'attending_count',
  'waiting_count',
  'max_occupancy',
  'online_attending_count',
  'online_waiting_count',
  'online_max_occupancy',
  'is_full',
  'schedule_type',
  'series',
  'substitute_wanted',
  'venue.id',
  'venue.name',
  'venue_room.id',
  'venue_room.name',
  'instructors.id',
  'instructors.name',
  'offering_type.id',
  'offering_type.background_color',
] as const;

type Read = ItemOf<'GET /events', (typeof FIELDS)[number]>;

/** An event with its wall times at its venue. */
export type CalendarEvent = Read & { readonly from: number; readonly to: number };

export const timed = <E extends Pick<Read, 'starts_at' | 'ends_at' | 'timezone'>>(event: E) => ({
  ...event,
  from: wallOf(Date.parse(event.starts_at), event.timezone),
  to: wallOf(Date.parse(event.ends_at), event.timezone),
});

/** The maximum page size of the interface. */
const PAGE = 250;

export interface Wanted {
  /** dates in the time zones of the venues, both inclusive */
  readonly first: string;
  readonly last: string;
  readonly venue: number | null;
  readonly offering: number | null;
  /** only what nobody teaches */
  readonly untaught?: boolean;
}

/** Returns the query. No event lasts longer than a week, and no time zone is more than 14 hours ahead of UTC. */
const queryOf = ({ first, last, venue, offering, untaught = false }: Wanted) => ({
  local_starts_at_gte: `${daysAfter(first, -7)}T00:00`,
  local_starts_at_lte: `${last}T23:59:59`,
  ends_at_gte: `${daysAfter(first, -1)}T10:00:00Z`,
  sort: ['start'] as const,
  page_size: PAGE,
  ...(venue !== null && { venues: [venue] }),
  ...(offering !== null && { offering_types: [offering] }),
  ...(untaught && { has_instructor: false, status: ['active'] as const }),
});

/** Reads all events that take place on these days, including those that began before. */
export async function readEvents(business: number, wanted: Wanted, signal?: AbortSignal): Promise<CalendarEvent[]> {
  const client = clientOf(business);
  const page = (n: number): PromiseLike<Page<Read>> =>
    client.call('GET /events', { query: { ...queryOf(wanted), page: n }, fields: FIELDS, signal });
  const first = await page(1);
  const others = await Promise.all(Array.from({ length: Math.ceil(first.count / PAGE) - 1 }, (_, i) => page(i + 2)));
  return [first, ...others].flatMap(({ results }) => results).map(timed);
}

/** The properties of an event that the calendar does not show. */
export interface More {
  readonly waitlist_max_override: number | null;
  /** id of the online venue of its places online */
  readonly online_venue: number | null;
}

/** Reads the properties of events that the calendar doesn't show, by event id. */
export async function readDetails(business: number, wanted: Wanted): Promise<ReadonlyMap<number, More>> {
  const all = clientOf(business).call('GET /events', {
    query: queryOf(wanted),
    fields: ['id', 'waitlist_max_override', 'online_venue'],
  });
  const found = await Array.fromAsync(all);
  return new Map(found.map(({ id, ...more }) => [id, more]));
}

/** Returns the events that take place on these days. More are read, because zones differ and events may last long. */
export function eventsOn(dates: readonly string[], events: readonly CalendarEvent[]): CalendarEvent[] {
  const [first, last] = [parseWall(dates[0])!, parseWall(dates.at(-1)!)! + DAY];
  return events.filter(({ from, to }) => from < last && to > first);
}

export function useEvents(wanted: Wanted) {
  const { id } = useBusiness();
  return useQuery({
    queryKey: keyOf(id, 'GET /events', { calendar: wanted }),
    queryFn: ({ signal }) => readEvents(id, wanted, signal),
    placeholderData: keepPreviousData,
  });
}

/** A change of the form names the same fields, since the version is that of the fields that were read. */
export const EDITED = [
  'id',
  'name',
  'starts_at',
  'ends_at',
  'timezone',
  'max_occupancy',
  'online_max_occupancy',
  'waitlist_max_override',
  'online_venue',
  'venue.id',
  'venue_room.id',
  'instructors.id',
  'offering_type.id',
] as const;

/** Reads the properties of an event that its form edits, with their version. */
export const useEdited = (id: number) => useVersioned('GET /events/{id}', { params: { id }, fields: EDITED });

export type Edited = NonNullable<ReturnType<typeof useEdited>['data']>;

/** Reads one event, whatever its date. */
export function useEvent(id: number | null) {
  const found = useCall('GET /events/{id}', { params: { id: id ?? 0 }, fields: FIELDS }, { enabled: id !== null });
  const event = useMemo(() => (found.data ? timed(found.data) : null), [found.data]);
  return { event, error: found.error, again: () => void found.refetch() };
}
