import { AMOUNTS, TAKERS } from './shown.ts';
import {
  boolean,
  embedded,
  group,
  id,
  instant,
  money,
  oneOf,
  ref,
  refBy,
  text,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { payees } from './payees.ts';
import { DISPUTE_STATES, PAYMENT_STATES, REFUND_STATES } from './rules/states.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';

/** Shows a row to staff who take or look after payments, and to the family that pays. */
const seenBy = (customer: (t: string) => string): Policy => ({
  provider: (_t, viewer) => may(viewer, ...TAKERS),
  customer: (t) => ofMyPurse(customer(t)),
  unregistered: false,
});

const FOR_STAFF = { provider: TAKERS, customer: false } as const;

/** Returns the resource of a payee, by its stored name. */
const resourceOf = (payee: string | null): string | null =>
  payees.items.find(({ name }) => name === payee)?.resource ?? payee;

export const payment = resource('payment', {
  description: 'An amount that a customer pays, or tried to pay, for one thing.',
  fields: {
    id: id(),
    customer: ref('customer').describe('The customer who pays.'),
    payment_processor: ref('payment_processor'),
    amount: money()
      .from((t) => raw(`${t}.amount_minor`))
      .describe('Always more than zero.'),
    refunded_amount: money()
      .from((t) => raw(`${t}.refunded_minor`))
      .describe('Amount that was refunded or is being refunded. Refunds that failed do not count.'),
    status: oneOf(PAYMENT_STATES).describe(
      '`action_required`: the customer has to do something at `action_url`. `pending`: the bank has not decided yet. A payment that failed may still succeed when the bank decides late.',
    ),
    subject: group({
      object: text({ max: 60 }).computed(
        (t) => [raw(`${t}.payee`)],
        ([payee]) => resourceOf(payee),
      ),
      id: id().from((t) => raw(`${t}.payee_id`)),
    }).describe('Object that it pays for: its type, for example `checkout`, and its id.'),
    description: text({ max: 200 }).describe(
      'Description that the customer reads on the page of the payment processor.',
    ),
    action_url: uri(4000)
      .nullable()
      .describe('URL where the customer continues. Null unless they have to do something.'),
    failure: text({ max: 500 }).nullable().describe('Why it failed, for the customer. Null if it did not fail.'),
    payment_method: ref('payment_method').nullable().describe('The saved payment method. Null if none was used.'),
    taken: boolean()
      .nullable()
      .describe(
        'Whether what it was for was still available when the money arrived. If not, the money is refunded. Null if the payment has not succeeded.',
      ),
    trouble: text({ max: 500 }).nullable().describe('Why its outcome is unknown, and what to do. Null if all is well.'),
    processor_reference: text({ max: 255 })
      .nullable()
      .from((t) => raw(`${t}.external`))
      .describe('The id that the payment processor has for it.'),
    refunds: embedded('payment_refund', { column: 'payment_id' }).deferred(),
    disputes: embedded('payment_dispute', { column: 'payment_id' }).deferred(),
    cancel_asked_at: instant().nullable().describe('When somebody asked to cancel it. Null if nobody did.'),
    succeeded_at: instant().nullable(),
    failed_at: instant().nullable().describe('When it failed, even if it succeeded later.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: seenBy((t) => `${t}.customer_id`),
  shown: {
    amount: AMOUNTS,
    refunded_amount: AMOUNTS,
    trouble: FOR_STAFF,
    processor_reference: FOR_STAFF,
  },
});

/** Returns the customer of the payment that a row belongs to. */
const payer = (t: string): string =>
  `(SELECT paid.customer_id FROM payment paid WHERE paid.provider_id = ${t}.provider_id AND paid.id = ${t}.payment_id)`;

export const paymentRefund = resource('payment_refund', {
  description: 'Money of a payment that is refunded the way it was paid.',
  fields: {
    id: id(),
    payment: ref('payment'),
    customer: refBy('customer', (t) => raw(payer(t))),
    amount: money().from((t) => raw(`${t}.amount_minor`)),
    explanation: text().describe('Why it is refunded.'),
    status: oneOf(REFUND_STATES).describe(
      '`failed`: the bank returned it, which can happen days later. The amount is still owed to the customer.',
    ),
    failure: text({ max: 500 }).nullable().describe('Why it failed. Null if it did not.'),
    retries: ref('payment_refund', 'retries_id').nullable().describe('The failed refund that this one tries again.'),
    retried_by: refBy(
      'payment_refund',
      (t) =>
        sql`(SELECT next.id FROM payment_refund next
          WHERE next.provider_id = ${raw(t)}.provider_id AND next.retries_id = ${raw(t)}.id)`,
    )
      .nullable()
      .describe('The refund that tries this one again. A failed refund is tried again once.'),
    trouble: text({ max: 500 }).nullable().describe('Why its outcome is unknown, and what to do. Null if all is well.'),
    processor_reference: text({ max: 255 })
      .nullable()
      .from((t) => raw(`${t}.external`))
      .describe('The id that the payment processor has for it.'),
    succeeded_at: instant().nullable(),
    failed_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: seenBy(payer),
  shown: { amount: AMOUNTS, failure: FOR_STAFF, trouble: FOR_STAFF, processor_reference: FOR_STAFF },
});

export const paymentDispute = resource('payment_dispute', {
  description:
    "A payment that the customer's bank took back, because the customer says that it was not theirs or not right.",
  fields: {
    id: id(),
    payment: ref('payment'),
    amount: money()
      .from((t) => raw(`${t}.amount_minor`))
      .describe('Amount that the bank took back.'),
    reason: text({ max: 500 }).describe('Reason stated by the bank.'),
    status: oneOf(DISPUTE_STATES).describe('`won`: the money has come back to the business.'),
    answer_by: instant()
      .nullable()
      .describe('The day until which you can answer the bank, at the payment processor. Null if not known.'),
    closed_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, ...TAKERS),
    customer: false,
    unregistered: false,
  },
  shown: { amount: AMOUNTS },
});
