import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { billingEngine } from './engine.ts';
import { biller } from './biller.ts';
import { cardJob, sweepCards } from './cards.ts';
import { chargeJobs, sweepCharges } from './charges.ts';
import { BILLING_NOTICES } from './notice-types.ts';
import { collector, settledReader } from './collections.ts';
import { methodUsers } from '../../money/payments/index.ts';
import { invoiceCollectors } from '../../money/invoices/index.ts';
import { failedPayments } from './failed-payments.ts';
import { FEED } from './feed.ts';
import { membershipBillers } from '../../memberships/customer-memberships/index.ts';
import { membershipProperties, paymentSubscription } from './payment-subscription.ts';
import { setUpMethod, subscriptionMethods } from './set-up-method.ts';
import { settingsEndpoints } from './settings.ts';
import { upcomingInvoices } from './upcoming.ts';
import { subscriptionEndpoints } from './subscriptions.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const billing: Area = {
  name: 'billing',
  description: 'Billing of recurring plans: billing periods that are invoiced, and how they are paid.',
  tables: TABLES,
  translations: readTranslations('billing/refusals'),
  resources: [paymentSubscription],
  properties: { customermembership: membershipProperties },
  endpoints: [...subscriptionEndpoints, setUpMethod, ...failedPayments, upcomingInvoices, ...settingsEndpoints],
  feed: FEED,
  fills: [membershipBillers.with(biller), invoiceCollectors.with(collector), methodUsers.with(subscriptionMethods)],
  notices: Object.values(BILLING_NOTICES),
  readers: [settledReader],
  jobs: [...chargeJobs, cardJob],
  async sweep(tx, now) {
    await sweepCharges(tx, now);
    await sweepCards(tx, now);
  },
  engines: [billingEngine],
};
