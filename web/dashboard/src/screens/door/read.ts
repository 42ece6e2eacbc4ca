/** The data of the check-in screen, kept current while other tablets mark. */
import { useEffect } from 'react';
import { may, useBusiness, type Business } from '../../app/business.ts';
import { onHappening } from '../../app/live.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { useOnline } from './marks/use-marks.ts';

/** Higher than the number of any business in one day. */
const MAX_EVENTS = 250;
const PAGE = 100;
/** Polling intervals: without access to the feed, and with access, in case the stream is silent. */
const POLL_MS = 4000;
const FOLLOWED_POLL_MS = 15_000;
const GATHER_MS = 200;

/** Returns true for staff at the desk, who see all classes; instructors see only their own. */
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
  'online_attending_count',
  'online_waiting_count',
  'online_max_occupancy',
  'is_full',
  'offering_type.id',
  'offering_type.schedule_type',
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
        page_size: MAX_EVENTS,
        ...(!seesAll(business) && { instructors: 'me' }),
      },
      fields: EVENT_FIELDS,
    },
    { keep: true },
  );
}

/** Reads one event; an empty list if the person may not manage it. */
export function useEvent(id: number) {
  const business = useBusiness();
  return useCall('GET /events', {
    query: { ids: [id], ...(!seesAll(business) && { instructors: 'me' }) },
    fields: EVENT_FIELDS,
  });
}

export type DoorEvent = NonNullable<ReturnType<typeof useEvent>['data']>['results'][number];

/** Reads everybody who is booked, on the waitlist, or cancelled late, on all pages. */
export function useRoster(event: number, enabled: boolean) {
  const people = usePages(
    'GET /attendances',
    {
      query: { event: [event], status: ['plans_to_attend', 'attended', 'no_show', 'late_cancelled'], page_size: PAGE },
      fields: [
        'id',
        'status',
        'place',
        'is_first_visit',
        'customer.id',
        'customer.first_name',
        'customer.last_name',
        'customer.labels.name',
        'customer.registration_block',
        'customer.check_in_flags',
        'requirements',
        'customer_membership.id',
        'customer_membership.name',
        'customer_membership.status',
        'charge.id',
        'charge.status',
        'charge.amount',
        'waitlist_spot.status',
        'waitlist_spot.position',
        'waitlist_spot.place',
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

/** Reads the event again when the feed reports a change, or at intervals without access to the feed. */
function useFresh(event: number, again: () => Promise<unknown>): void {
  const business = useBusiness();
  const online = useOnline();
  const follows = may(business, 'developer');
  useEffect(() => {
    if (!online) return;
    // Updates that were missed while the connection was lost.
    void again();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onHappening(({ resources }) => {
      if (resources.event === event) soon ??= setTimeout(() => ((soon = undefined), void again()), GATHER_MS);
    });
    const timer = setInterval(
      () => document.visibilityState === 'visible' && void again(),
      follows ? FOLLOWED_POLL_MS : POLL_MS,
    );
    return () => {
      stop();
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [event, online, follows, again]);
}

/** Reads everybody who is booked on a day, for the search by name, on all pages. */
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
