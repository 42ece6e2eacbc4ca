import {
  date,
  group,
  id,
  integer,
  listOf,
  money,
  object,
  oneOf,
  ref,
  refBy,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { ITEM_TYPES, type ItemType } from '../item-kinds/types.ts';
import { QUICK_TYPES } from '../item-kinds/quick-item.ts';
import { ofMyPurse } from '../../../people/customers/index.ts';
import { PLACES } from '../../../scheduling/schedule/index.ts';
import { shownImage } from '../../../platform/images/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../../kernel/api/resource.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';

const amount = (column: string) => money().from((t) => raw(`${t}.${column}`));

/** Selects the customer, except the record that represents all walk-in customers, which is hidden from everybody. */
export const namedCustomer = (t: string): Sql =>
  sql`(SELECT named.id FROM customer named
    WHERE named.provider_id = ${raw(t)}.provider_id AND named.id = ${raw(t)}.customer_id AND NOT named.is_walk_in)`;

/**
 * Shows rows to staff at the front desk, and to customers for purchases of themselves or their family. `customer`: the
 * column of the payer.
 */
export const seenBy = (customer: (t: string) => Sql): Policy => ({
  provider: (_t, viewer) => may(viewer, 'pos'),
  customer,
  unregistered: false,
});

/** Ids of checkouts and their items are numbers written as text. */
export const wireId = (column = 'id') => text({ max: 15 }).from((t) => raw(`${t}.${column}::text`));

/** Selects the items that came with this one, and the item that brought this one. */
const associated = (t: string) => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('id', a.id::text) ORDER BY a.id) FROM checkout_item a
  WHERE a.provider_id = ${raw(t)}.provider_id AND a.checkout_id = ${raw(t)}.checkout_id
    AND (a.with_item_id = ${raw(t)}.id OR a.id = ${raw(t)}.with_item_id)), '[]'::jsonb)`;

export const checkoutItem = resource('checkout_item', {
  object: null,
  description:
    'One thing that is bought in a checkout. `item_type` says what it is. What belongs to other types is null.',
  fields: {
    id: wireId(),
    item_type: oneOf(ITEM_TYPES),
    customer: refBy('customer', namedCustomer)
      .nullable()
      .describe('Person who gets the item: the payer or somebody in their family. Null for a walk-in customer.'),
    description: text(),
    quantity: integer({ min: 1, max: 100 }),
    unit_price: amount('').from((t) => raw(`coalesce(${t}.unit_price_minor, ${t}.standard_unit_price_minor)`)),
    standard_unit_price: amount('standard_unit_price_minor').describe('Price of one unless staff set `unit_price`.'),
    recurring_price: amount('')
      .from((t) => raw(`coalesce(${t}.recurring_price_minor, ${t}.standard_recurring_price_minor)`))
      .nullable()
      .describe('Recurring plans only: the price of each further billing period, before fees and taxes.'),
    standard_recurring_price: amount('standard_recurring_price_minor')
      .nullable()
      .describe('The recurring price unless staff set `recurring_price`.'),
    discount: money()
      .from((t) => raw(`(${t}.price->>'discount')::bigint`))
      .describe('The part of the discount that falls on this item.'),
    total_price: amount('total_minor').describe('For all of it, with its fees and taxes, less the discount.'),
    associated_checkout_items: listOf(object({ id: text() }), { max: 100 })
      .from(associated)
      .describe('Items that came with this item and are removed with it, for example the joining fee of a plan.'),
    membership: ref('membership').nullable(),
    plan: ref('membership_payment_plan', 'payment_plan_id').nullable(),
    upgrade_from_customer_membership: owned('MEM_RECUR_UP'),
    downgrade_from_customer_membership: owned('MEM_RECUR_DOWN'),
    joining_fee: ref('joining_fee').nullable(),
    event: refBy('event', (t) => raw(`CASE WHEN ${t}.item_type <> 'CRS_DT_DRP' THEN ${t}.event_id END`)).nullable(),
    place: oneOf(PLACES).nullable().describe('The kind of place at the event. Null means a place at the venue.'),
    appointment_slot: slotOf('APPT'),
    room_rental_slot: slotOf('ROOM_RTL'),
    course_date_series: ref('course_date_series').nullable(),
    course_date: refBy('course_session', (t) =>
      raw(`CASE ${t}.item_type WHEN 'CRS_DT_DRP' THEN ${t}.event_id END`),
    ).nullable(),
    customer_membership: owned('CLASS_MEM', 'APPT_MEM', 'ROOM_RTL_MEM', 'CRS_MEM').describe(
      'The membership that pays for the event or the course.',
    ),
    customer_membership_checkout_item: wireId('customer_membership_item_id')
      .nullable()
      .describe('The item that buys the membership that pays for the event or the course.'),
    account_entry: ref('account_entry').nullable(),
    store_product_variant: ref('store_product_variant').nullable(),
    store_order_item: ref('store_order_item').nullable(),
    purchase_type: oneOf(QUICK_TYPES)
      .nullable()
      .from((t) => raw(`${t}.quick_purchase_type`))
      .describe('Quick items only.'),
    venue: ref('venue', 'quick_venue_id').nullable().describe('Quick items only.'),
    recipient: ref('customer', 'gift_recipient_id').nullable().describe('Gift cards only.'),
    recipient_email: text()
      .nullable()
      .from((t) => raw(`${t}.gift_email`))
      .describe('Gift cards only.'),
    recipient_name: text()
      .nullable()
      .from((t) => raw(`${t}.gift_name`))
      .describe('Gift cards only.'),
    message: text()
      .nullable()
      .from((t) => raw(`${t}.gift_message`))
      .describe('Gift cards only: the message of the buyer to the recipient.'),
    deliver_on_date: date()
      .nullable()
      .from((t) => raw(`${t}.gift_deliver_on`))
      .describe('Gift cards only: the day on which it is sent. Null if it is sent as soon as it is paid.'),
    image: shownImage((t) => raw(`${t}.gift_image_id`))
      .nullable()
      .describe('Gift cards only.'),
    result: group({
      object: text({ max: 60 })
        .nullable()
        .from((t) => raw(`${t}.result_object`)),
      id: id()
        .nullable()
        .from((t) => raw(`${t}.result_id`)),
    }).describe('Object that the customer got: its type and id. Null until the checkout is completed.'),
  },
  visible: seenBy(
    (
      t,
    ) => sql`EXISTS (SELECT FROM checkout k WHERE k.provider_id = ${raw(t)}.provider_id AND k.id = ${raw(t)}.checkout_id
      AND ${ofMyPurse('k.customer_id')})`,
  ),
});

/**
 * Returns a property for the customer membership of an item. One column holds it; the type of the item says which role
 * it has.
 */
function owned(...types: readonly ItemType[]) {
  const named = types.map((type) => `'${type}'`).join(', ');
  const idOf = (t: string) => raw(`CASE WHEN ${t}.item_type IN (${named}) THEN ${t}.customer_membership_id END`);
  return refBy('customermembership', idOf).nullable();
}

/** Returns a property for the chosen free time. One column holds it; the type of the item says which kind it is. */
function slotOf(type: 'APPT' | 'ROOM_RTL') {
  return text({ max: 256 })
    .nullable()
    .from((t) => raw(`CASE WHEN ${t}.item_type IN ('${type}_DRP', '${type}_MEM') THEN ${t}.slot END`))
    .describe('The free time for which `event` was created.');
}
