/** The businesses at which the person works. */
import { useQuery } from '@tanstack/react-query';
import { queries } from './calls.ts';
import { rollcall } from './client.ts';
import type { Business } from './business.ts';

/** In the order of their names. */
export const WORKPLACES = {
  queryKey: [null, 'GET /auth/profiles', {}],
  queryFn: async (): Promise<readonly Business[]> => {
    const found = new Map<number, Pick<Business, 'staff' | 'permissions'>>();
    for await (const profile of rollcall.call('GET /auth/profiles')) {
      if (profile.profile_type !== 'staff') continue;
      const { id, name, email, permissions } = profile;
      const granted = Object.entries(permissions).flatMap(([permission, has]) => (has ? [permission] : []));
      found.set(Number(profile.provider), { staff: { id, name, email }, permissions: new Set(granted) });
    }
    const all: Business[] = [];
    for await (const { id, name, timezone, country, currency, booking_site, is_test } of rollcall.call(
      'GET /providers',
      {
        fields: ['id', 'name', 'timezone', 'country', 'currency', 'booking_site.slug', 'is_test'],
      },
    )) {
      const here = found.get(id);
      if (here)
        all.push({
          id,
          name,
          timezone,
          country,
          slug: booking_site.slug,
          currency: currency.iso_currency_code.toUpperCase(),
          isTest: is_test,
          ...here,
        });
    }
    return all.toSorted((a, b) => a.name.localeCompare(b.name));
  },
  // They change with what is done here, and after a new log-in.
  staleTime: Infinity,
};

/** What the routes have read. A promise that is new each time would hide the page whenever it is drawn. */
export const useWorkplaces = (): readonly Business[] => useQuery(WORKPLACES).data ?? [];

export const workplaces = (): Promise<readonly Business[]> => queries.ensureQueryData(WORKPLACES);
