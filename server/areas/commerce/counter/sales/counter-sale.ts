import { amount, said } from '../amounts.ts';
import { boolean, embedded, id, instant, money, ref, refBy, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { visible } from '../shown.ts';

/** Selects a column of the invoice of the sale under alias `t`. */
export const ofInvoice = (t: string, column: string) =>
  sql`(SELECT ${raw(`i.${column}`)} FROM invoice i
    WHERE i.provider_id = ${raw(t)}.provider_id AND i.id = ${raw(t)}.invoice_id)`;

/** The calculation of the change in words: `$20.00 − $12.50 = $7.50 change`. */
const explanation = text({ max: 200 }).computed(
  (t) => [raw(`${t}.amount_minor`), raw(`${t}.tendered_minor`), raw(`${t}.change_minor`)],
  ([paid, tendered, change], { currency }) => {
    if (tendered === null) return null;
    const say = (minor: string | null) => said({ tenant: { currency } as never }, Number(minor));
    return `${say(tendered)} handed over − ${say(paid)} = ${say(change)} change`;
  },
);

export const counterPayment = resource('counter_payment', {
  description: 'One payment of a sale at the counter.',
  fields: {
    id: id(),
    payment: ref('payment'),
    payment_processor: refBy(
      'payment_processor',
      (t) =>
        sql`(SELECT p.payment_processor_id FROM payment p
          WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.payment_id)`,
    ),
    amount: amount('amount_minor'),
    tendered: amount('tendered_minor')
      .nullable()
      .describe('The cash that the customer handed over. Null if it was not said.'),
    change: amount('change_minor').describe('Change for the customer: `tendered` less `amount`.'),
    explanation: explanation.nullable().describe('Calculation of the change. Null without `tendered`.'),
  },
  visible,
});

export const counterSale = resource('counter_sale', {
  description:
    'Something that was sold at the counter: bought and paid in one moment. What was sold is in its invoice. It never changes; it can be refunded.',
  fields: {
    id: id(),
    customer: refBy('customer', (t) => sql`CASE WHEN NOT ${raw(t)}.is_walk_in THEN ${ofInvoice(t, 'customer_id')} END`)
      .nullable()
      .describe('Customer who bought. Null for a walk-in customer.'),
    is_walk_in: boolean().describe('Whether nobody was named.'),
    checkout: text({ max: 15 }).from((t) => raw(`${t}.checkout_id::text`)),
    invoice: ref('invoice'),
    venue: ref('venue').nullable(),
    staff: ref('staff').nullable().describe('Staff member who sold. Null if a program did.'),
    total_amount: amount('total_minor').describe('With discounts, fees and taxes.'),
    credit_amount: amount('credit_minor').describe('Amount paid with account credit.'),
    paid_amount: amount('paid_minor').describe('The sum of the payments.'),
    change_amount: money()
      .from(
        (t) =>
          sql`(SELECT coalesce(sum(p.change_minor), 0) FROM counter_payment p
            WHERE p.provider_id = ${raw(t)}.provider_id AND p.counter_sale_id = ${raw(t)}.id)`,
      )
      .describe('Change that the customer got when they paid.'),
    refunded_amount: money()
      .from((t) => ofInvoice(t, 'refunded_minor'))
      .describe('Amount refunded since, the way it was paid.'),
    payments: embedded('counter_payment', { column: 'counter_sale_id' }),
    created_at: instant(),
    updated_at: instant(),
  },
  visible,
});
