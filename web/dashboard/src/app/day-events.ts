import { useCall } from './calls.ts';

const MAX_ROWS = 100;

/** Returns the events of a day in the time of the venues, in order; none for an empty date. */
export function useDayEvents(date: string) {
  return useCall(
    'GET /events',
    {
      query: {
        local_starts_at_gte: `${date}T00:00`,
        local_starts_at_lte: `${date}T23:59:59`,
        sort: ['start'],
        page_size: MAX_ROWS,
      },
      fields: ['id', 'name', 'status', 'starts_at', 'ends_at', 'timezone', 'is_full'],
    },
    { enabled: date !== '' },
  );
}
