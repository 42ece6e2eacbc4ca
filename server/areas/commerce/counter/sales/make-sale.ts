/** Sales at the counter, each in one transaction: everything or nothing. */
import { BOOKING_PROBLEMS, HOLD_PROBLEMS } from '../../../scheduling/schedule/index.ts';
import { boolean, email, listOf, moneyText, object, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { CHECKOUT_PROBLEMS, MAX_ITEMS, SALE_ITEM, SALE_PROBLEMS, sell, SLOT_REFUSALS } from '../../checkouts/index.ts';
import { counterSale } from './counter-sale.ts';
import { COUNTER_PROBLEMS } from '../problems.ts';
import { create } from '../../../../kernel/api/endpoint.ts';
import { decimal, said } from '../amounts.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { MEMBERSHIP_PROBLEMS } from '../../../memberships/customer-memberships/index.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { MAX_PAYMENTS, paymentsOf, SALE_PAYMENT, takeAll } from './payments.ts';
import { counterSaleFeed } from './feed.ts';
import { sendReceipt } from './send-receipt.ts';
import { walkInCustomer } from '../../../people/customers/index.ts';
import { whoSells } from '../shown.ts';
import type { ValueOf } from '../../../../kernel/base/fields/field.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const saleBody = {
  customer: ref('customer').nullable().optional().describe('Customer who pays. Leave it out for a walk-in customer.'),
  items: listOf(object(SALE_ITEM), { min: 1, max: MAX_ITEMS }),
  payments: listOf(object(SALE_PAYMENT), { max: MAX_PAYMENTS })
    .default([])
    .describe('In this order. Together they pay what credit leaves.'),
  discount_code: text({ max: 100 }).nullable().optional(),
  use_account_credit: boolean()
    .default(false)
    .describe('Whether the customer’s account credit pays as much as it can.'),
  total: moneyText()
    .optional()
    .describe('The total that the customer agreed to. If it is another one, nothing is sold.'),
  venue: ref('venue').nullable().optional().describe('Venue of the sale. Quick items without a venue are sold there.'),
  receipt_email: email()
    .nullable()
    .optional()
    .describe('Email address for the receipt. Customers with an email address get one for their invoice anyway.'),
};

export type NewSale = ValueOf<typeof saleBody>;

export const makeSale = create(counterSale, {
  path: '/counter/sales',
  summary: 'Sell at the counter',
  description:
    'Sells and takes the money in one transaction: either everything is done, or nothing. Items are those of `POST /checkouts/{id}/add_item`, and quick items. Several payments can pay together; of cash, `tendered` says what was handed over, and the answer what change is due. Without `customer`, it is sold to a walk-in customer, who can buy what belongs to nobody in particular. A dry run returns the sale as it would be, with prices and change.',
  who: whoSells,
  body: saleBody,
  problems: [
    ...SALE_PROBLEMS,
    ...BOOKING_PROBLEMS,
    ...HOLD_PROBLEMS,
    ...SLOT_REFUSALS,
    ...Object.values(MEMBERSHIP_PROBLEMS),
    CHECKOUT_PROBLEMS.price_changed,
    COUNTER_PROBLEMS.cash_session_required,
  ],
  run: ({ work, body }) => sellAtCounter(work, body),
});

/** Sells and takes the money. Returns the id of the sale. */
export async function sellAtCounter(work: Work, body: NewSale): Promise<number> {
  const walkIn = (body.customer ?? null) === null;
  if (walkIn && body.use_account_credit)
    throw invalid('use_account_credit', 'A walk-in customer has no account. Name the customer, or leave it out.');
  const customer = walkIn ? await walkInCustomer(work) : body.customer!;
  const total = body.total === undefined ? undefined : minorOf('total', body.total, work.tenant.currency);
  const sold = await sell(work, {
    customer,
    walkIn,
    items: body.items.map((item) => placed(item, body.venue ?? null)),
    discountCode: body.discount_code,
    useAccountCredit: body.use_account_credit,
    total,
  });
  const payments = await paymentsOf(work, sold.due, body.payments);
  const id = await insertRow(work, 'counter_sale', {
    checkout_id: sold.checkout,
    invoice_id: sold.invoice,
    is_walk_in: walkIn,
    venue_id: body.venue ?? null,
    staff_id: work.viewer.staffId,
    total_minor: sold.total,
    credit_minor: sold.credit,
  });
  await takeAll(work, { sale: id, invoice: sold.invoice, payer: customer }, payments);
  work.record(counterSaleFeed.created, id, {
    counter_sale: id,
    customer: walkIn ? null : customer,
    invoice: sold.invoice,
    amount: decimal(work, sold.total),
  });
  const change = payments.reduce((sum, one) => sum + one.change, 0);
  if (change > 0)
    work.effect('change', 'counter_sale', id, {
      amount: decimal(work, change),
      explanation: `Give back ${said(work, change)}.`,
    });
  if (body.receipt_email)
    await sendReceipt(work, { sale: id, invoice: sold.invoice, customer, to: body.receipt_email });
  return id;
}

type Item = Record<string, unknown>;

/** Sets the venue of the sale on quick items without one: the fees of some venues apply where an item is sold. */
const placed = (item: Item, venue: number | null): Item =>
  venue !== null && (item.purchase_type ?? null) !== null && (item.venue ?? null) === null ? { ...item, venue } : item;
