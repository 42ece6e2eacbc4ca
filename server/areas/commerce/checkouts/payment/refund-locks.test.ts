/**
 * The locks that one call holds while it waits for others: a refund locks the invoice, then its payments, then the
 * customer's account, whichever call begins it. So no two calls deadlock.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beside, until } from '../../../../test/storm.ts';
import { shop } from '../test/shop.ts';

const on = shop({ own: true });

const REASON = { reason: 'It does not fit.' };

/** Creates a paid purchase and returns the ids of its rows. */
async function paid() {
  const { variant } = await on.s.product({ stock: 5 });
  const customer = await on.world.newCustomer();
  const order = await on.s.done('POST', '/store/orders', {
    customer,
    items: [{ store_product_variant: variant, quantity: 2 }],
  });
  const checkout = await on.s.done('POST', '/store/orders/checkout', { store_order: order.id });
  const { invoice, payment } = await on.c.pay(checkout.id, { payment_processor: on.c.sandbox });
  const { rows } = await on.c.owner.query(
    'SELECT l.id FROM invoice_line l WHERE l.provider_id = $1 AND l.invoice_id = $2',
    [on.world.harbour, invoice],
  );
  return { customer, order: order.id, item: order.items[0].id, invoice, payment, line: Number(rows[0].id) };
}

type Paid = Awaited<ReturnType<typeof paid>>;

const CALLS: Readonly<Record<string, (it: Paid) => readonly [path: string, body: object]>> = {
  'refund a payment': ({ payment }) => [`/payments/${payment}/refund`, { ...REASON, amount: '2.00' }],
  'refund a payment with restock': ({ payment, line }) => [
    `/payments/${payment}/refund`,
    { ...REASON, amount: '2.00', restock: [{ line_item: line, quantity: 1 }] },
  ],
  'credit and refund': ({ invoice }) => [
    `/invoices/${invoice}/credit`,
    { ...REASON, amount: '2.00', give_back: 'refund' },
  ],
  'return and refund': ({ item }) => [
    `/store/order_items/${item}/return`,
    { ...REASON, quantity: 1, give_back: 'refund' },
  ],
  'cancel and refund': ({ order }) => [`/store/orders/${order}/cancel`, { ...REASON, give_back: 'refund' }],
};

/** Condition for the row of each table, by provider and id. */
const ROWS = {
  invoice: 'invoice WHERE provider_id = $1 AND id = $2',
  payment: 'payment WHERE provider_id = $1 AND id = $2',
  customer: `customer_balance WHERE account = 'credit' AND provider_id = $1 AND customer_id = $2`,
} as const;

type Lockable = keyof typeof ROWS;

const NEXT: readonly (readonly [waitedFor: Lockable, free: Lockable])[] = [
  ['invoice', 'payment'],
  ['payment', 'customer'],
];

for (const [call, asked] of Object.entries(CALLS))
  for (const [waitedFor, free] of NEXT)
    test(`${call}: while it waits for the ${waitedFor}, the ${free} is free`, async () => {
      const it = await paid();
      const other = await beside(on.world.databaseUrl);
      const lock = async (what: Lockable, how = '') => {
        const { rowCount } = await other.query(`SELECT FROM ${ROWS[what]} FOR NO KEY UPDATE ${how}`, [
          on.world.harbour,
          it[what],
        ]);
        assert.equal(rowCount, 1, what);
      };
      try {
        await other.query('BEGIN');
        await lock(waitedFor);
        const { rows } = await other.query('SELECT pg_backend_pid() AS pid');
        const [path, body] = asked(it);
        const answer = on.s.ask('POST', path, { ...body });
        await until('the call waits', async () => {
          const waiting = await on.c.owner.query(
            'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
            [rows[0].pid],
          );
          return waiting.rowCount! > 0;
        });
        await lock(free, 'NOWAIT');
        await other.query('COMMIT');
        const { status, text } = await answer;
        assert.ok(status < 300, text);
      } finally {
        await other.end();
      }
      await on.c.balanced();
    });
