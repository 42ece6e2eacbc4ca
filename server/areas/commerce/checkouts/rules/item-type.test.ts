import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemTypeOf } from './item-type.ts';

test('the properties of an item determine its type if the type is left out', () => {
  assert.deepEqual(
    (['drop_in', 'pack', 'prepaid_plan', 'recurring_plan'] as const).map((type) => itemTypeOf({}, type)),
    ['MEM_DRP', 'MEM_PK', 'MEM_PP', 'MEM_RECUR'],
  );
  assert.equal(itemTypeOf({ upgrade_from_customer_membership: 3 }, 'recurring_plan'), 'MEM_RECUR_UP');
  assert.equal(itemTypeOf({ downgrade_from_customer_membership: 3 }, 'recurring_plan'), 'MEM_RECUR_DOWN');
  assert.equal(itemTypeOf({ event: 1, customer_membership: null }, null), 'CLASS_DRP');
  assert.equal(itemTypeOf({ event: 1, customer_membership: 2 }, null), 'CLASS_MEM');
  assert.equal(itemTypeOf({ event: 1, customer_membership_checkout_item: '2' }, null), 'CLASS_MEM');
  assert.equal(itemTypeOf({ event: 1 }, null, 'appointment'), 'APPT_DRP');
  assert.equal(itemTypeOf({ event: 1, customer_membership: 2 }, null, 'room_rental'), 'ROOM_RTL_MEM');
  assert.equal(itemTypeOf({ appointment_slot: 'a' }, null), 'APPT_DRP');
  assert.equal(itemTypeOf({ appointment_slot: 'a', customer_membership_checkout_item: '2' }, null), 'APPT_MEM');
  assert.equal(itemTypeOf({ room_rental_slot: 'a' }, null), 'ROOM_RTL_DRP');
  assert.equal(itemTypeOf({ course_date_series: 1 }, null), 'CRS_DRP');
  assert.equal(itemTypeOf({ course_date_series: 1, customer_membership: 2 }, null), 'CRS_MEM');
  assert.equal(itemTypeOf({ course_date: 1 }, null), 'CRS_DT_DRP');
  assert.equal(itemTypeOf({ joining_fee: 1 }, null), 'JOINING_FEE');
  assert.equal(itemTypeOf({ account_entry: 1 }, null), 'ACCT_ENTRY');
  assert.equal(itemTypeOf({ purchase_type: 'store' }, null), 'QUICK_ITEM');
  assert.equal(itemTypeOf({ recipient_email: 'ada@example.com' }, null), 'GIFT_CARD');
  assert.equal(itemTypeOf({}, null), null);
});
