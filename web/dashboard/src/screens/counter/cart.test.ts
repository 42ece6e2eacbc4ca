import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, EMPTY, paymentsOf, readQuick, soldOf, withPayment, type Cart } from './cart.ts';

const water = { label: 'Water', price: '$2.50', item: { store_product_variant: 7 } };
const pass = { label: 'Ten visits', price: '$120.00', item: { membership: 3 } };
const DESKS = [
  { id: 1, is_cash_drawer: true },
  { id: 2, is_cash_drawer: false },
];
const row = (key: number, over: object = {}) => ({ key, processor: null, amount: '', tendered: '', ...over });

test('adding the same product again increases its quantity, and a membership is a line of its own', () => {
  const cart = [water, pass, water, pass].reduce(added, EMPTY);
  assert.deepEqual(
    cart.lines.map(({ label, quantity }) => [label, quantity]),
    [
      ['Water', 2],
      ['Ten visits', 1],
      ['Ten visits', 1],
    ],
  );
  assert.equal(new Set(cart.lines.map(({ key }) => key)).size, 3);
});

test('a text that ends with an amount is a quick item', () => {
  assert.deepEqual(readQuick('Water 2.50'), { description: 'Water', amount: '2.50' });
  assert.deepEqual(readQuick(' Mat rental  3,5 '), { description: 'Mat rental', amount: '3.5' });
  for (const text of ['Water', '2.50', 'Water -2', 'Water2', '']) assert.equal(readQuick(text), null, text);
});

test('only payments before the last have an amount, and only a cash payment has an amount received', () => {
  const cart: Cart = {
    ...EMPTY,
    payments: [
      row(0, { processor: 2, amount: '20', tendered: '50' }),
      row(1, { processor: 1, amount: '9', tendered: '10,5' }),
    ],
  };
  assert.deepEqual(paymentsOf(cart, DESKS), [
    { payment_processor: 2, amount: '20' },
    { payment_processor: 1, tendered: '10.5' },
  ]);
  assert.deepEqual(paymentsOf(EMPTY, DESKS), [{ payment_processor: 1 }]);
  assert.deepEqual(paymentsOf(EMPTY, []), []);
});

test('an additional payment uses a payment method that no other payment uses', () => {
  const cart = withPayment({ ...EMPTY, payments: [row(0, { tendered: '10' })] }, DESKS);
  assert.deepEqual(paymentsOf(cart, DESKS), [{ payment_processor: 1, tendered: '10' }, { payment_processor: 2 }]);
});

test('a sale to a walk-in customer names no customer and uses no account credit', () => {
  const cart = added(added({ ...EMPTY, credit: true, code: ' SPRING ' }, water), water);
  assert.deepEqual(soldOf(cart, null), {
    items: [{ store_product_variant: 7, quantity: 2 }],
    discount_code: 'SPRING',
  });
  assert.deepEqual(soldOf({ ...added(EMPTY, pass), customer: { id: 9, label: 'Ana' }, credit: true }, 4), {
    customer: 9,
    items: [{ membership: 3 }],
    use_account_credit: true,
    venue: 4,
  });
});
