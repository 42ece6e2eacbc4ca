import { addItems } from './change-items.ts';
import { changeCheckout, openCheckout } from './change.ts';
import { action, create, one, remove, update } from '../../../kernel/api/endpoint.ts';
import { boolean, integer, oneOf, ref, text, uri } from '../../../kernel/api/kinds.ts';
import { BOOKING_PROBLEMS, HOLD_PROBLEMS } from '../../scheduling/schedule/index.ts';
import { cancel, checkCancelled } from './cancel.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkFamily, readItem, readOrder } from './new-item.ts';
import { checkout } from './checkout.ts';
import { checkOpen, lockCheckout, type CheckoutRow } from './rows.ts';
import { CHECKOUT_PROBLEMS } from './problems.ts';
import { checkReturnTo } from './return-to.ts';
import { DISCOUNT_PROBLEMS } from '../discount-codes/index.ts';
import { drive } from './drive.ts';
import { invalid } from '../../../kernel/api/problem.ts';
import { ITEM_KINDS } from './item-kinds/index.ts';
import { ITEM_TYPES } from './item-kinds/types.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { STORE_PROBLEMS } from '../store/index.ts';
import { whoChecksOut } from './find-checkouts.ts';
import type { Work } from '../../../kernel/work.ts';

const who = whoChecksOut;

const values = {
  discount_code: text({ max: 100 }).nullable().describe('A discount code as the customer entered it. Null removes it.'),
  return_to: uri(1000)
    .nullable()
    .describe('Where the payer’s browser is sent after paying on a page: an https address on a site of the business.'),
  use_account_credit: boolean(),
};

const NOT_OPEN = [CHECKOUT_PROBLEMS.checkout_expired, CHECKOUT_PROBLEMS.checkout_not_open] as const;

/** What pricing and holding again may find. */
export const CHANGES = [
  ...NOT_OPEN,
  ...Object.values(DISCOUNT_PROBLEMS),
  ...Object.values(STORE_PROBLEMS),
  'conflict',
  'already_cancelled',
  'already_ended',
] as const;

const createCheckout = create(checkout, {
  path: '/checkouts',
  summary: 'Create a checkout',
  description:
    'Nothing is bought until it is paid. It expires 15 minutes after the last change, and two hours after it was created at the latest.',
  who,
  body: {
    customer: ref('customer').optional().describe('Who pays. Customers who pay themselves can leave it out.'),
    discount_code: values.discount_code.optional(),
    return_to: values.return_to.optional(),
    use_account_credit: values.use_account_credit.optional(),
  },
  problems: ['conflict', ...Object.values(DISCOUNT_PROBLEMS)],
  run: async ({ work, body }) => {
    const customer = body.customer ?? work.viewer.customerId;
    if (customer === null) throw invalid('customer', 'This field is required.');
    await checkActsFor(work, customer);
    if (body.return_to) await checkReturnTo(work, body.return_to);
    return openCheckout(work, { ...body, customer });
  },
});

const updateCheckout = update(checkout, {
  path: '/checkouts/{id}',
  summary: 'Update a checkout',
  who,
  body: {
    customer: ref('customer').optional().describe('Can only be changed while nothing is in the checkout.'),
    discount_code: values.discount_code.optional(),
    return_to: values.return_to.optional(),
    use_account_credit: values.use_account_credit.optional(),
  },
  problems: [...CHANGES, ...BOOKING_PROBLEMS],
  run: async ({ work, target, body }) => {
    const row = await openOne(work, target.id);
    if (body.customer !== undefined) await checkActsFor(work, body.customer);
    if (body.return_to) await checkReturnTo(work, body.return_to);
    await changeCheckout(work, row, body);
    return row.id;
  },
});

/** The checkout of the path, which the pipeline has locked, for somebody who may change it. */
export async function openOne(work: Work, checkoutId: number): Promise<CheckoutRow> {
  const row = await lockCheckout(work, checkoutId);
  await checkActsFor(work, row.customer_id);
  checkOpen(row, work.now);
  return row;
}

const cancelCheckout = remove(checkout, {
  path: '/checkouts/{id}',
  summary: 'Cancel a checkout',
  description:
    'Everything that is held for it is released. While a payment is under way, the payment processor is asked to stop it first; a payment that still arrives completes the checkout.',
  who,
  problems: [CHECKOUT_PROBLEMS.checkout_not_open, CHECKOUT_PROBLEMS.checkout_expired, CHECKOUT_PROBLEMS.already_paid],
  run: async ({ work, target }) => {
    const row = await lockCheckout(work, target.id);
    await checkActsFor(work, row.customer_id);
    await cancel(work, row);
  },
  afterwards: async (call) => {
    await drive(call);
    await checkCancelled(call);
  },
});

const kinds = ITEM_KINDS.map(({ type, description, needs, takes = [] }) => {
  const named = [...needs.map((name) => `\`${name}\``), ...takes.map((name) => `\`${name}\` (optional)`)];
  return `- \`${type}\`: ${description} ${named.length > 0 ? `Needs ${named.join(', ')}.` : ''}`;
});

const addAnItem = action({
  path: '/checkouts/{id}/add_item',
  summary: 'Add an item to a checkout',
  description: `Adds one thing, holds a place for it if it is an event, and returns the checkout with its new price. Which properties are sent depends on \`item_type\`:\n\n${kinds.join('\n')}`,
  who,
  target: checkout,
  body: {
    item_type: oneOf(ITEM_TYPES).optional().describe('If left out, the other properties say it.'),
    customer: ref('customer').optional().describe('Who it is for, if not the payer: somebody else in their family.'),
    membership: ref('membership').nullable().optional(),
    plan: ref('membership_payment_plan').nullable().optional(),
    upgrade_from_customer_membership: ref('customermembership').nullable().optional(),
    downgrade_from_customer_membership: ref('customermembership').nullable().optional(),
    joining_fee: ref('joining_fee').nullable().optional(),
    event: ref('event').nullable().optional(),
    customer_membership: ref('customermembership').nullable().optional(),
    customer_membership_checkout_item: text({ max: 15 }).nullable().optional(),
    account_entry: ref('account_entry').nullable().optional(),
    store_product_variant: ref('store_product_variant').nullable().optional(),
    store_order_item: ref('store_order_item').nullable().optional(),
    store_order: ref('store_order').nullable().optional(),
    quantity: integer({ min: 1, max: 100 }).optional().describe('How many, if more than one can be bought at a time.'),
  },
  problems: [...CHANGES, ...HOLD_PROBLEMS, ...Object.values(MEMBERSHIP_PROBLEMS)],
  returns: one(checkout),
  run: async ({ work, target, body }) => {
    const row = await openOne(work, target.id);
    const asked = body.store_order ? await readOrder(work, row, body) : [await readItem(work, row, body)];
    await checkFamily(work, row, asked[0].customer_id);
    await addItems(work, row, asked);
    return row.id;
  },
});

export const changeCheckouts = [createCheckout, ...updateCheckout, cancelCheckout, addAnItem];
