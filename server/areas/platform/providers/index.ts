import { EVERYONE, listAndGet } from '../../../kernel/api/endpoint.ts';
import { changeProvider } from './change-provider.ts';
import { testClockFeed } from '../../../kernel/work/clock/feed.ts';
import { CLOCK_PROBLEMS, DOMAIN_PROBLEMS, DOMAIN_TAKEN, SLUG_TAKEN } from './problems.ts';
import { verifyDomain } from './domain.ts';
import { provider } from './provider.ts';
import { providerFeed } from './feed.ts';
import { testClock } from './test-clock.ts';
import { imageUses, usedIn } from '../images/index.ts';
import { providerTheme, themeEndpoints } from './theme.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { movingBusiness, movingNames } from './moving.ts';
export {
  AND_ITS_CLOCK,
  changeBusiness,
  changePictures,
  findTenant,
  lockBusiness,
  paysAtDesk,
  TENANT_COLUMNS,
  tenantOf,
  type TenantRow,
} from './business.ts';
export { advanceClock } from './test-clock.ts';
export { createProvider, hasBusiness, isFirstBusiness, isUntouched, type NewProvider } from './create-provider.ts';
export { goLive, readSettled } from './go-live.ts';
export { CLOCK_PROBLEMS } from './problems.ts';
export { LETTERHEAD, readLetterhead } from './letterhead.ts';
export { isReserved, isSlug, slugInPath } from './slug.ts';
export { provider } from './provider.ts';
export { providerFeed } from './feed.ts';

export const providers: Area = {
  name: 'providers',
  description: 'Businesses: their settings, time zone and currency.',
  tables: TABLES,
  names: [
    { kind: 'business', table: 'provider', columns: ['provider_id'], name: (row) => `${row}.provider_id` },
    { kind: 'slug', table: 'provider', columns: ['slug'], name: (row) => `${row}.slug` },
    {
      kind: 'host',
      table: 'provider',
      columns: ['site_domain', 'site_domain_verified_at'],
      name: (row) => `CASE WHEN ${row}.site_domain_verified_at IS NOT NULL THEN ${row}.site_domain END`,
    },
  ],
  resources: [provider, providerTheme],
  endpoints: [
    ...listAndGet(provider, {
      path: '/providers',
      summary: 'List the businesses that you have access to',
      get: 'Get a business',
      description:
        'Returns every business that the credential gives access to. With `Service-Provider-ID`, returns only that one. Without a credential, the header is required.',
      who: EVERYONE,
      everywhere: true,
    }),
    ...changeProvider,
    ...themeEndpoints,
    verifyDomain,
    ...testClock,
  ],
  feed: [providerFeed, testClockFeed],
  fills: [
    imageUses.with(
      usedIn('provider_theme', 'provider', 'The logo of a business.', 'logo_id'),
      usedIn('provider_theme', 'provider', 'The cover picture of a business.', 'cover_id'),
      usedIn('provider_theme', 'provider_theme', 'The icon of a business.', 'homescreen_logo_id'),
    ),
  ],
  constraints: {
    provider_site_domain_once: DOMAIN_TAKEN,
    provider_slug_once: SLUG_TAKEN,
  },
  problems: { ...CLOCK_PROBLEMS, ...DOMAIN_PROBLEMS },
};
