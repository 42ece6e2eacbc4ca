/** The events of a day, shared by both halves of the screen. */
import { COUNT_FIELDS } from '../../app/both-places.ts';
import { daysAfter } from '../../app/days.ts';
import { may, type Business } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';

/** Higher than the number of any business in one day. */
const MAX_ROWS = 250;

/** Returns true if the person may see the schedule. */
export const seesEvents = (business: Business): boolean =>
  may(
    business,
    'manage_events',
    'attendances',
    'instructor_manage_events',
    'instructor_attendances',
    'developer',
    'pos',
  );

export function useEvents(date: string, venue: number | null, enabled = true) {
  return useCall(
    'GET /events',
    {
      query: {
        local_starts_at_gte: `${date}T00:00`,
        local_starts_at_lte: `${date}T23:59:59`,
        sort: ['start'],
        page_size: MAX_ROWS,
        ...(venue !== null && { venues: [venue] }),
      },
      fields: [
        'id',
        'name',
        'status',
        'starts_at',
        'ends_at',
        'timezone',
        ...COUNT_FIELDS,
        'is_full',
        'is_online_full',
        'schedule_type',
        'substitute_wanted',
        'venue.name',
        'venue_room.name',
        'instructors.name',
      ],
    },
    { enabled },
  );
}

/** So many days after this one are looked at: long enough to find somebody. */
export const AHEAD = 14;

/** How many classes nobody teaches yet, in the days after this one. */
export function useUntaught(date: string, venue: number | null) {
  return useCall('GET /events', {
    query: {
      has_instructor: false,
      status: ['active'],
      local_starts_at_gte: `${daysAfter(date, 1)}T00:00`,
      local_starts_at_lte: `${daysAfter(date, AHEAD)}T23:59:59`,
      page_size: 1,
      ...(venue !== null && { venues: [venue] }),
    },
    fields: ['id'],
  });
}

/** The classes in the days after this one for which people wait; some of them have a free place. */
export function useWaiting(date: string, venue: number | null) {
  return useCall('GET /events', {
    query: {
      occupancy_status: ['has_waitlist'],
      status: ['active'],
      local_starts_at_gte: `${daysAfter(date, 1)}T00:00`,
      local_starts_at_lte: `${daysAfter(date, AHEAD)}T23:59:59`,
      sort: ['start'],
      page_size: MAX_ROWS,
      ...(venue !== null && { venues: [venue] }),
    },
    fields: [
      'id',
      'name',
      'starts_at',
      'timezone',
      'waiting_count',
      'is_full',
      'online_waiting_count',
      'is_online_full',
    ],
  });
}

export type DayEvent = NonNullable<ReturnType<typeof useEvents>['data']>['results'][number];
