/** What the screen of the door reads, and how it stays true while other tablets mark. */
import { useEffect } from 'react';
import { may, useBusiness, type Business } from '../../app/business.ts';
import { onHappening } from '../../app/live.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { useOnline } from './marks/use-marks.ts';

/** More than a business has in a day. */
const MOST_EVENTS = 250;
const PAGE = 100;
/** Without the permission to follow what happens, the roster is read again this often; with it, in case nothing is heard. */
const AGAIN_MS = 4000;
const FOLLOWED_AGAIN_MS = 15_000;
const GATHER_MS = 200;

/** Instructors see the classes that they teach; people of the desk see all. */
export const seesAll = (business: Business): boolean => may(business, 'attendances', 'pos');

export const marks = (business: Business): boolean => may(business, 'attendances', 'instructor_attendances');

const EVENT_FIELDS = [
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
  'venue.id',
  'venue.name',
  'venue_room.name',
  'instructors.name',
] as const;

/** `date`: as `2026-11-23` */
export function useDay(date: string) {
  const business = useBusiness();
  return useCall(
    'GET /events',
    {
      query: {
        local_starts_at_gte: `${date}T00:00`,
        local_starts_at_lte: `${date}T23:59:59`,
        status: ['active'],
        sort: ['start'],
        page_size: MOST_EVENTS,
        ...(!seesAll(business) && { instructors: 'me' }),
      },
      fields: EVENT_FIELDS,
    },
    { keep: true },
  );
}

/** One event; an empty list where somebody may not see to it. */
export function useEvent(id: number) {
  const business = useBusiness();
  return useCall('GET /events', {
    query: { ids: [id], ...(!seesAll(business) && { instructors: 'me' }) },
    fields: EVENT_FIELDS,
  });
}

export type DoorEvent = NonNullable<ReturnType<typeof useEvent>['data']>['results'][number];

/** Everybody who is booked, waits, or cancelled too late; all pages of it. */
export function useRoster(event: number, enabled: boolean) {
  const people = usePages(
    'GET /attendances',
    {
      query: { event: [event], status: ['plans_to_attend', 'attended', 'no_show', 'late_cancelled'], page_size: PAGE },
      fields: [
        'id',
        'status',
        'is_first_visit',
        'customer.id',
        'customer.first_name',
        'customer.last_name',
        'customer.labels.name',
        'customer_membership.id',
        'customer_membership.name',
        'customer_membership.status',
        'charge.id',
        'charge.status',
        'charge.amount',
        'waitlist_spot.status',
        'waitlist_spot.position',
      ],
    },
    { enabled },
  );
  const { hasNextPage, isFetching, fetchNextPage, refetch } = people;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  useFresh(event, refetch);
  return people;
}

export type Person = NonNullable<ReturnType<typeof useRoster>['data']>['pages'][number]['results'][number];

/** Reads again what happens at the event, or from time to time where nobody says what happens. */
function useFresh(event: number, again: () => Promise<unknown>): void {
  const business = useBusiness();
  const online = useOnline();
  const follows = may(business, 'developer');
  useEffect(() => {
    if (!online) return;
    // What was missed while the connection was lost.
    void again();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onHappening(({ resources }) => {
      if (resources.event === event) soon ??= setTimeout(() => ((soon = undefined), void again()), GATHER_MS);
    });
    const timer = setInterval(
      () => document.visibilityState === 'visible' && void again(),
      follows ? FOLLOWED_AGAIN_MS : AGAIN_MS,
    );
    return () => {
      stop();
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [event, online, follows, again]);
}

/** Who comes on a day, to be searched by name; all pages of it. */
export function useComing(date: string, events: readonly number[], enabled: boolean) {
  const people = usePages(
    'GET /attendances',
    {
      query: {
        event_local_starts_at_gte: `${date}T00:00`,
        event_local_starts_at_lte: `${date}T23:59:59`,
        status: ['plans_to_attend', 'attended', 'no_show'],
        event: events,
        page_size: PAGE,
      },
      fields: ['id', 'status', 'event.id', 'customer.id', 'customer.first_name', 'customer.last_name'],
    },
    { enabled: enabled && events.length > 0 },
  );
  const { hasNextPage, isFetching, fetchNextPage } = people;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return people;
}
