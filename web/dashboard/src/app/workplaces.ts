/** The businesses at which the person works. */
import { useQuery } from '@tanstack/react-query';
import { queries } from './calls.ts';
import { rollcall } from './client.ts';
import type { Business } from './business.ts';

const FIELDS = ['id', 'name', 'timezone', 'country', 'currency', 'booking_site.slug', 'is_test'] as const;

interface Provider extends Pick<Business, 'id' | 'name' | 'timezone' | 'country'> {
  readonly currency: { readonly iso_currency_code: string };
  readonly booking_site: Pick<Business, 'slug'>;
  readonly is_test: boolean;
}

const businessOf = ({
  currency,
  booking_site,
  is_test,
  ...same
}: Provider): Omit<Business, 'staff' | 'permissions'> => ({
  ...same,
  slug: booking_site.slug,
  currency: currency.iso_currency_code.toUpperCase(),
  isTest: is_test,
});

/** In alphabetical order. */
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
    // Somebody who works nowhere may not ask as staff.
    if (found.size === 0) return [];
    const all: Business[] = [];
    for await (const provider of rollcall.call('GET /providers', { fields: FIELDS })) {
      const here = found.get(provider.id);
      if (here) all.push({ ...businessOf(provider), ...here });
      found.delete(provider.id);
    }
    // Businesses in other cells of the installation; an unreachable cell does not affect the others.
    const elsewhere = await Promise.allSettled(
      [...found].map(async ([id, there]) => ({
        ...businessOf(await rollcall.call('GET /providers/{id}', { params: { id }, fields: FIELDS })),
        ...there,
      })),
    );
    all.push(...elsewhere.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    return all.toSorted((a, b) => a.name.localeCompare(b.name));
  },
  // They change through actions in this dashboard, and after a new log-in.
  staleTime: Infinity,
};

/** Returns the businesses that the routes have read. A new promise for each render would hide the page every time. */
export const useWorkplaces = (): readonly Business[] => useQuery(WORKPLACES).data ?? [];

export const workplaces = (): Promise<readonly Business[]> => queries.ensureQueryData(WORKPLACES);
