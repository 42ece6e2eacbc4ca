import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';

export const paymentSubscriptionFeed = feedKinds(
  'payment_subscription',
  { payment_subscription: id(), customer_membership: ref('customermembership'), customer: id() },
  {
    created: 'A recurring plan was sold: its billing periods will be invoiced and collected.',
    updated: 'The payment of a recurring plan was changed; `changed` names the properties.',
  },
);

export const paymentMethodFeed = feedKinds(
  'invoice',
  { invoice: id(), customer: id() },
  {
    retried: 'Staff tried the failed payment of an invoice again.',
    payment_method_requested: 'Staff asked a customer to pay an invoice with another card or account.',
  },
);

export const FEED = [paymentSubscriptionFeed, paymentMethodFeed];
