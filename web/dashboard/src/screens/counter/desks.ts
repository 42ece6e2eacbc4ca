/** Payment methods at the desk, and the venues of sales. */
import { useCall } from '../../app/calls.ts';

/** Higher than the number that any business has. */
const MAX_ROWS = 100;

/** Reads the payment methods. Cash drawers come first: cash is the default, because it needs an amount. */
export function useDesks() {
  const { data, error, refetch } = useCall('GET /payment_processors', {
    query: { is_enabled: true, page_size: MAX_ROWS },
    fields: ['id', 'name', 'kind', 'is_cash_drawer'],
  });
  const desks = data?.results
    .filter(({ kind }) => kind === 'offline')
    .toSorted((a, b) => Number(b.is_cash_drawer) - Number(a.is_cash_drawer) || a.id - b.id);
  return { desks, error, refetch };
}

export type DeskRead = NonNullable<ReturnType<typeof useDesks>['desks']>[number];

export function useVenues() {
  return useCall('GET /venues', { query: { status: 'active', page_size: MAX_ROWS }, fields: ['id', 'name'] });
}

export function useOpenSessions() {
  return useCall('GET /counter/cash_sessions', {
    query: { is_open: true, page_size: MAX_ROWS },
    fields: [
      'id',
      'payment_processor',
      'opening_float',
      'expected_amount',
      'opened_at',
      'opened_by.first_name',
      'opened_by.last_name',
    ],
  });
}

export type OpenSession = NonNullable<ReturnType<typeof useOpenSessions>['data']>['results'][number];
