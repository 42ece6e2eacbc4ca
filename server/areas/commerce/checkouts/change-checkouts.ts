import { changes } from '../../../kernel/api/resource-changes.ts';
import { addItems } from './items/change-items.ts';
import { changeCheckout, openCheckout } from './change.ts';
import { action, one } from '../../../kernel/api/endpoint.ts';
import {
  boolean,
  date,
  email,
  integer,
  moneyText,
  oneOf,
  personalMessage,
  personName,
  ref,
  text,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { BOOKING_PROBLEMS, HOLD_PROBLEMS, PLACES, SCHEDULE_PROBLEMS } from '../../scheduling/schedule/index.ts';
import { SLOT_PROBLEMS } from '../../availability/slots/index.ts';
import { VENUE_PROBLEMS } from '../../places/venues/index.ts';
import { cancel, checkCancelled } from './cancel.ts';
import { checkActsFor, walkInCustomer } from '../../people/customers/index.ts';
import { checkNoCredit, isOfWalkIn } from './walk-in.ts';
import { checkFamily, readItem, readOrder } from './items/new-item.ts';
import { checkout } from './checkout.ts';
import { checkOpen, checkoutOfPath, type CheckoutRow } from './rows.ts';
import { CHECKOUT_PROBLEMS } from './problems.ts';
import { checkReturnTo } from './payment/return-to.ts';
import { countGuess, DISCOUNT_PROBLEMS } from '../discount-codes/index.ts';
import { drive } from './payment/sync-payments.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { ITEM_KINDS } from './item-kinds/index.ts';
import { ITEM_TYPES } from './item-kinds/types.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { SOLD_REFUSES } from '../../availability/courses/index.ts';
import { STORE_PROBLEMS } from '../store/index.ts';
import { QUICK_TYPES } from './item-kinds/quick-item.ts';
import { whoChecksOut } from './find-checkouts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = whoChecksOut;

const values = {
  discount_code: text({ max: 100 }).nullable().describe('A discount code as the customer entered it. Null removes it.'),
  return_to: uri(1000)
    .nullable()
    .describe(
      'URL to which the payer’s browser returns after paying on a page: an https address on a site of the business.',
    ),
  use_account_credit: boolean(),
};

const NOT_OPEN = [CHECKOUT_PROBLEMS.checkout_expired, CHECKOUT_PROBLEMS.checkout_not_open] as const;

/** Problems of repricing and of reserving again. */
export const CHANGES = [
  ...NOT_OPEN,
  ...Object.values(DISCOUNT_PROBLEMS),
  ...Object.values(STORE_PROBLEMS),
  ...SOLD_REFUSES,
  'conflict',
  'already_cancelled',
  'already_ended',
] as const;

/** Problems of reserving a free time. */
export const SLOT_REFUSALS = [
  SLOT_PROBLEMS.slot_taken,
  SLOT_PROBLEMS.slot_expired,
  SCHEDULE_PROBLEMS.instructor_taken,
  VENUE_PROBLEMS.room_taken,
] as const;

const checkoutChanges = changes(checkout, {
  path: '/checkouts',
  noun: 'checkout',
  who,
  body: {
    customer: ref('customer').optional().describe('Can only be changed while nothing is in the checkout.'),
    discount_code: values.discount_code.optional(),
    return_to: values.return_to.optional(),
    use_account_credit: values.use_account_credit.optional(),
  },
  first: {
    customer: ref('customer')
      .optional()
      .describe(
        'Customer who pays. Customers who pay themselves can leave it out. If staff leave it out, the checkout is for a walk-in customer: it sells only items that belong to no customer, and is paid immediately.',
      ),
    discount_code: values.discount_code.optional(),
    return_to: values.return_to.optional(),
    use_account_credit: values.use_account_credit.optional(),
  },
  create: {
    description:
      'Nothing is bought until it is paid. It expires 15 minutes after the last change, and two hours after it was created at the latest.',
    problems: ['conflict', ...Object.values(DISCOUNT_PROBLEMS)],
    run: async ({ work, body, ip, charge }) => {
      countGuess({ work, ip, charge }, body.discount_code);
      const named = body.customer ?? work.viewer.customerId;
      if (named === null && work.viewer.mode !== 'provider') throw invalid('customer', 'This field is required.');
      if (named === null) checkNoCredit(body.use_account_credit);
      const customer = named ?? (await walkInCustomer(work));
      await checkActsFor(work, customer);
      if (body.return_to) await checkReturnTo(work, body.return_to);
      return openCheckout(work, { ...body, customer });
    },
  },
  update: {
    problems: [...CHANGES, ...BOOKING_PROBLEMS],
    run: async ({ work, target, body, ip, charge }) => {
      if (body.discount_code !== target.discount_code) countGuess({ work, ip, charge }, body.discount_code);
      const row = await openOne(work, target);
      if (body.customer !== undefined) await checkActsFor(work, body.customer);
      if (body.return_to) await checkReturnTo(work, body.return_to);
      if (body.customer === undefined && (await isOfWalkIn(work, row))) checkNoCredit(body.use_account_credit);
      await changeCheckout(work, row, body);
    },
  },
  remove: {
    summary: 'Cancel a checkout',
    description:
      'Everything that is held for it is released. While a payment is under way, the payment processor is asked to stop it first; a payment that still arrives completes the checkout.',
    problems: [CHECKOUT_PROBLEMS.checkout_not_open, CHECKOUT_PROBLEMS.checkout_expired, CHECKOUT_PROBLEMS.already_paid],
    run: async ({ work, target }) => {
      const row = checkoutOfPath(target);
      await checkActsFor(work, row.customer_id);
      await cancel(work, row);
    },
    afterwards: async (call) => {
      await drive(call);
      await checkCancelled(call);
    },
  },
});

/** Returns the checkout of the path, which the pipeline has locked, if the caller may change it. */
export async function openOne(work: Work, target: Readonly<Record<string, any>>): Promise<CheckoutRow> {
  const row = checkoutOfPath(target);
  await checkActsFor(work, row.customer_id);
  checkOpen(row, work.now);
  return row;
}

const kinds = ITEM_KINDS.filter(({ automatic }) => !automatic).map(({ type, description, needs, takes = [], says }) => {
  const named = [
    ...needs.map((name) => `\`${name}\``),
    ...(says?.properties ?? []).map((name) =>
      says!.optional?.includes(name) ? `\`${name}\` (optional)` : `\`${name}\``,
    ),
    ...takes.map((name) => `\`${name}\` (optional)`),
  ];
  return `- \`${type}\`: ${description} ${needs.length + (says ? 1 : 0) > 0 ? 'Needs' : 'Takes'} ${named.join(', ')}.`;
});

export const addAnItem = action({
  path: '/checkouts/{id}/add_item',
  summary: 'Add an item to a checkout',
  description: `Adds one thing, holds a place for it if it is an event, and returns the checkout with its new price. Which properties are sent depends on \`item_type\`:\n\n${kinds.join('\n')}`,
  who,
  target: checkout,
  body: {
    item_type: oneOf(ITEM_TYPES).optional().describe('If left out, the other properties say it.'),
    customer: ref('customer')
      .optional()
      .describe('Person who gets the item, if not the payer: somebody else in their family.'),
    membership: ref('membership').nullable().optional(),
    plan: ref('membership_payment_plan').nullable().optional(),
    upgrade_from_customer_membership: ref('customermembership').nullable().optional(),
    downgrade_from_customer_membership: ref('customermembership').nullable().optional(),
    joining_fee: ref('joining_fee').nullable().optional(),
    event: ref('event').nullable().optional(),
    place: oneOf(PLACES).nullable().optional().describe('For an event that has places online too: as in a booking.'),
    appointment_slot: text({ max: 256 })
      .nullable()
      .optional()
      .describe('Appointments only: the id of a free time, from `GET /slots`. The time is held like a place.'),
    room_rental_slot: text({ max: 256 })
      .nullable()
      .optional()
      .describe('Room rentals only: the id of a free time, from `GET /slots`. The time is held like a place.'),
    course_date_series: ref('course_date_series').nullable().optional(),
    course_date: ref('course_session').nullable().optional().describe('A single session of a course.'),
    customer_membership: ref('customermembership').nullable().optional(),
    customer_membership_checkout_item: text({ max: 15 }).nullable().optional(),
    account_entry: ref('account_entry').nullable().optional(),
    store_product_variant: ref('store_product_variant').nullable().optional(),
    store_order_item: ref('store_order_item').nullable().optional(),
    store_order: ref('store_order').nullable().optional(),
    quantity: integer({ min: 1, max: 100 }).optional().describe('Quantity, if more than one can be bought at a time.'),
    description: text({ max: 200 }).nullable().optional().describe('Quick items only: the description on the invoice.'),
    unit_price: moneyText()
      .nullable()
      .optional()
      .describe('Quick items: price of one before fees and taxes. Gift cards: the value.'),
    purchase_type: oneOf(QUICK_TYPES)
      .nullable()
      .optional()
      .describe('Quick items only: the type that decides which fees and taxes are added.'),
    venue: ref('venue')
      .nullable()
      .optional()
      .describe('Quick items only: the venue of the sale, for fees of some venues.'),
    recipient: ref('customer')
      .nullable()
      .optional()
      .describe('Gift cards only: the customer who receives it, if there is one.'),
    recipient_email: email()
      .nullable()
      .optional()
      .describe('Gift cards only: the email address that it is sent to. If left out, its code is printed.'),
    recipient_name: personName({ max: 200 }).nullable().optional().describe('Gift cards only.'),
    message: personalMessage({ max: 500, blank: true })
      .nullable()
      .optional()
      .describe('Gift cards only: the message of the buyer to the recipient.'),
    deliver_on_date: date()
      .nullable()
      .optional()
      .describe('Gift cards only: the day on which it is sent. If left out, it is sent as soon as it is paid.'),
    image: ref('image')
      .nullable()
      .optional()
      .describe('Gift cards only: one of the `image_choices` of the gift card settings.'),
  },
  problems: [...CHANGES, ...HOLD_PROBLEMS, ...Object.values(MEMBERSHIP_PROBLEMS), ...SLOT_REFUSALS],
  returns: one(checkout),
  run: async ({ work, target, body }) => {
    const row = await openOne(work, target);
    const asked = body.store_order ? await readOrder(work, row, body) : [await readItem(work, row, body)];
    await checkFamily(work, row, asked[0].customer_id);
    await addItems(work, row, asked, { checked: Boolean(body.store_order) });
    return row.id;
  },
});

export const changeCheckouts = [...checkoutChanges, addAnItem];
