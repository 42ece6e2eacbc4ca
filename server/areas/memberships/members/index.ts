import { cancel } from './cancel.ts';
import { downgradeMembership } from './downgrade.ts';
import { extendExpiration } from './expiration.ts';
import { FEED } from './feed.ts';
import { reactivateMembership } from './reactivate.ts';
import { renewJob, sweepRenewals } from './renew.ts';
import { SHARING } from './sharing-declarations.ts';
import { upgradeMembership } from './upgrade.ts';
import type { Area } from '../../../kernel/api/registry.ts';

export { renewDue } from './renew.ts';

export const members: Area = {
  name: 'members',
  description:
    'Changes to the memberships that customers hold: billing periods, cancellations, upgrades and downgrades, prices and sharing.',
  tables: ['customer_membership_share'],
  resources: SHARING.resources,
  endpoints: [
    cancel,
    reactivateMembership,
    extendExpiration,
    upgradeMembership,
    downgradeMembership,
    ...SHARING.endpoints,
  ],
  feed: [...FEED, ...SHARING.feed],
  jobs: [renewJob, ...SHARING.jobs],
  sweep: sweepRenewals,
};
