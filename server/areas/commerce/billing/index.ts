import { billingEngine } from './engine.ts';
import { biller } from './biller.ts';
import { chargeJobs, sweepCharges } from './charges.ts';
import { FEED } from './feed.ts';
import { membershipBillers } from '../../memberships/customer-memberships/index.ts';
import { membershipProperties, paymentSubscription } from './payment-subscription.ts';
import { settingsEndpoints } from './settings.ts';
import { upcomingInvoices } from './upcoming.ts';
import { subscriptionEndpoints } from './subscriptions.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const billing: Area = {
  name: 'billing',
  description: 'What recurring plans cost: billing periods that are invoiced, and how they are paid.',
  tables: ['billing_period', 'billing_settings', 'payment_subscription'],
  resources: [paymentSubscription],
  properties: { customermembership: membershipProperties },
  endpoints: [...subscriptionEndpoints, upcomingInvoices, ...settingsEndpoints],
  feed: FEED,
  fills: [membershipBillers.with(biller)],
  jobs: chargeJobs,
  sweep: sweepCharges,
  engines: [billingEngine],
};
