import { STATUSES } from './statuses.ts';
import {
  boolean,
  embedded,
  instant,
  listOf,
  money,
  object,
  oneOf,
  ref,
  refBy,
  text,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { namedCustomer, seenBy, wireId } from './items/checkout-item.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import type { Price } from '../../pricing/fees/index.ts';

const amount = (column: string) => money().from((t) => raw(`${t}.${column}`));

/** Each fee and tax once, in the order in which the items list them. */
const feeLineItems = listOf(object({ amount: money(), description: text() }), { max: 1000 }).computed(
  (t) => [
    sql`(SELECT jsonb_agg(i.price->'lines' ORDER BY i.id) FROM checkout_item i
      WHERE i.provider_id = ${raw(t)}.provider_id AND i.checkout_id = ${raw(t)}.id)`,
  ],
  ([lines], { currency }) => {
    const all = (JSON.parse(lines ?? '[]') as Price['lines'][]).flat();
    return [...Map.groupBy(all, ({ fee }) => fee.id).values()].map((same) => ({
      amount: wireMoney({ minor: same.reduce((sum, { amount }) => sum + amount, 0), currency }),
      description: same[0].fee.name,
    }));
  },
);

const nextAction = (t: string) => sql`(SELECT jsonb_build_object('type', 'redirect', 'url', p.action_url) FROM payment p
  WHERE ${raw(t)}.status = 'pending' AND p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.payment_id
    AND p.action_url IS NOT NULL)`;

export const checkout = resource('checkout', {
  description:
    'A purchase of a customer. While it is `open`, items can be added and removed, and places at events, account credit and the use of a discount code are held for it. It is `pending` while a payment runs, and ends as `completed`, `expired` or `cancelled`.',
  fields: {
    id: wireId(),
    customer: refBy('customer', namedCustomer).nullable().describe('Customer who pays. Null for a walk-in customer.'),
    status: oneOf(STATUSES),
    checkout_items: embedded('checkout_item', { column: 'checkout_id' }).describe('Items of the checkout.'),
    discount_code: text({ max: 100 }).nullable().describe('As it was entered.'),
    discount_code_error: text({ max: 1000 })
      .nullable()
      .describe('Why the discount code takes nothing off, in words for the payer. Null if it does.'),
    use_account_credit: boolean().describe('Whether the payer’s account credit pays as much as it can.'),
    return_to: uri(2000).nullable().describe('URL to which the payer’s browser returns after paying on a page.'),
    list_price: amount('list_price_minor').describe('Sum of the items before discount, fees and taxes.'),
    discount: amount('discount_minor'),
    pre_tax_price: amount('pre_tax_price_minor').describe('After the discount, before fees and taxes.'),
    fee_line_items: feeLineItems.describe('Every fee and tax, summed over all items.'),
    total_price: amount('total_minor').describe('With fees and taxes.'),
    credit: amount('credit_minor').describe(
      'The part of the total that credit pays: account credit, and what is left of a membership that is upgraded.',
    ),
    amount_due: amount('')
      .from((t) =>
        raw(`(CASE WHEN ${t}.status IN ('open', 'pending') THEN ${t}.total_minor - ${t}.credit_minor ELSE 0 END)`),
      )
      .describe(
        'Amount left to pay: the total less credit. 0 once the checkout has ended: if it was completed with `pay_later`, the invoice has the amount due.',
      ),
    payment: ref('payment').nullable().describe('The last payment. Null if none was started.'),
    invoice: ref('invoice').nullable().describe('Null until the checkout is completed.'),
    next_action: object({ type: oneOf(['redirect']), url: uri(4000) })
      .nullable()
      .from(nextAction)
      .describe('URL where the payer continues while the checkout is `pending`. Null if there is nothing to do.'),
    payment_error: text({ max: 1000 })
      .nullable()
      .describe('Why the last payment failed, in words for the payer. Null if none failed.'),
    expires_at: instant().describe(
      'When an open checkout expires and everything that is held for it is released. Every change moves it.',
    ),
    ended_at: instant().nullable().describe('When it was completed, cancelled, or expired.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: seenBy((t) => ofMyPurse(`${t}.customer_id`)),
  secret: ['secret_hash'],
});
