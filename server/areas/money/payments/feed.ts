import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { AMOUNTS } from './shown.ts';
import { DISPUTE_STATES, PAYMENT_STATES } from './rules/states.ts';

export const paymentFeed = feedKinds(
  'payment',
  { payment: ref('payment'), customer: ref('customer'), payment_processor: ref('payment_processor'), amount: text() },
  {
    created: 'A payment was started.',
    succeeded: 'A payment succeeded.',
    failed: 'A payment failed, or was cancelled.',
    updated: {
      description: 'A payment waits for the customer or for a bank, or somebody asked to cancel it.',
      payload: { status: oneOf(PAYMENT_STATES) },
    },
  },
  { shown: { amount: AMOUNTS } },
);

export const paymentRefundFeed = feedKinds(
  'payment_refund',
  { payment_refund: ref('payment_refund'), payment: ref('payment'), customer: ref('customer'), amount: text() },
  {
    created: 'A refund of a payment was started.',
    succeeded: 'The payment processor has refunded the money.',
    failed: 'The money could not be refunded. It is still owed to the customer.',
  },
  { shown: { amount: AMOUNTS } },
);

export const paymentDisputeFeed = feedKinds(
  'payment_dispute',
  {
    payment_dispute: ref('payment_dispute'),
    payment: ref('payment'),
    customer: ref('customer'),
    amount: text(),
    status: oneOf(DISPUTE_STATES),
  },
  {
    created: "The customer's bank took the money of a payment back.",
    updated: { description: 'A dispute was won or lost.' },
  },
  { shown: { amount: AMOUNTS } },
);

export const paymentMethodFeed = feedKinds(
  'payment_method',
  { payment_method: id(), customer: ref('customer') },
  {
    created: 'A customer saved a payment method.',
    deleted: 'A saved payment method was removed.',
  },
);

export const methodSetupFeed = feedKinds(
  'payment_method_setup',
  { payment_method_setup: ref('payment_method_setup'), customer: ref('customer') },
  {
    created: 'A customer began to save a payment method without a payment.',
    succeeded: 'The payment method is saved.',
    failed: 'No payment method was saved.',
  },
);

export const paymentProcessorFeed = feedKinds(
  'payment_processor',
  { payment_processor: ref('payment_processor') },
  {
    created: 'A payment processor was added.',
    updated: 'The settings of a payment processor changed; `changed` names the properties.',
  },
);

export const FEED = [
  paymentFeed,
  paymentRefundFeed,
  paymentDisputeFeed,
  paymentMethodFeed,
  methodSetupFeed,
  paymentProcessorFeed,
];
