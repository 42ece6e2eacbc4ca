import { feedItemKind, type FeedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { AMOUNTS } from './shown.ts';
import { DISPUTE_STATES, PAYMENT_STATES } from './rules/states.ts';

const ofPayment = {
  payment: ref('payment'),
  customer: ref('customer'),
  payment_processor: ref('payment_processor'),
  amount: text(),
};

const payment = (kind: string, description: string) =>
  feedItemKind(kind, { object: 'payment', description, payload: ofPayment, shown: { amount: AMOUNTS } });

export const paymentCreated = payment('payment.created', 'A payment was started.');
export const paymentSucceeded = payment('payment.succeeded', 'A payment succeeded.');
export const paymentFailed = payment('payment.failed', 'A payment failed, or was cancelled.');
export const paymentUpdated = feedItemKind('payment.updated', {
  object: 'payment',
  description: 'A payment waits for the customer or for a bank, or somebody asked to cancel it.',
  payload: { ...ofPayment, status: oneOf(PAYMENT_STATES) },
  shown: { amount: AMOUNTS },
});

const refund = (kind: string, description: string) =>
  feedItemKind(kind, {
    object: 'payment_refund',
    description,
    payload: {
      payment_refund: ref('payment_refund'),
      payment: ref('payment'),
      customer: ref('customer'),
      amount: text(),
    },
    shown: { amount: AMOUNTS },
  });

export const refundCreated = refund('payment_refund.created', 'A refund of a payment was started.');
export const refundSucceeded = refund('payment_refund.succeeded', 'The payment processor has refunded the money.');
export const refundFailed = refund(
  'payment_refund.failed',
  'The money could not be refunded. It is still owed to the customer.',
);

const dispute = (kind: string, description: string) =>
  feedItemKind(kind, {
    object: 'payment_dispute',
    description,
    payload: {
      payment_dispute: ref('payment_dispute'),
      payment: ref('payment'),
      customer: ref('customer'),
      amount: text(),
      status: oneOf(DISPUTE_STATES),
    },
    shown: { amount: AMOUNTS },
  });

export const disputeCreated = dispute(
  'payment_dispute.created',
  "The customer's bank took the money of a payment back.",
);
export const disputeUpdated = dispute('payment_dispute.updated', 'A dispute was won or lost.');

const method = (kind: string, description: string) =>
  feedItemKind(kind, {
    object: 'payment_method',
    description,
    payload: { payment_method: id(), customer: ref('customer') },
  });

export const methodCreated = method('payment_method.created', 'A customer saved a payment method.');
export const methodDeleted = method('payment_method.deleted', 'A saved payment method was removed.');

export const processorCreated = feedItemKind('payment_processor.created', {
  object: 'payment_processor',
  description: 'A payment processor was added.',
  payload: { payment_processor: ref('payment_processor') },
});
export const processorUpdated = feedItemKind('payment_processor.updated', {
  object: 'payment_processor',
  description: 'The settings of a payment processor changed; `changed` names the properties.',
  payload: { payment_processor: ref('payment_processor'), changed: listOf(text()) },
});

export const FEED: readonly FeedItemKind<any>[] = [
  paymentCreated,
  paymentUpdated,
  paymentSucceeded,
  paymentFailed,
  refundCreated,
  refundSucceeded,
  refundFailed,
  disputeCreated,
  disputeUpdated,
  methodCreated,
  methodDeleted,
  processorCreated,
  processorUpdated,
];
