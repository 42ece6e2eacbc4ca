import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance, times } from '../../../../test/storm.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { shop } from '../test/shop.ts';

const on = shop({ own: true });

const REASON = { reason: 'It does not fit.' };

/** Creates an order with two products: three pieces of one and one of the other, all paid. */
async function bought() {
  const [shirt, mug] = [await on.s.product({ stock: 10 }), await on.s.product({ stock: 10, price: '5.00' })];
  const customer = await on.world.newCustomer();
  const order = await on.s.done('POST', '/store/orders', {
    customer,
    items: [
      { store_product_variant: shirt.variant, quantity: 3 },
      { store_product_variant: mug.variant, quantity: 1 },
    ],
  });
  const checkout = await on.s.done('POST', '/store/orders/checkout', { store_order: order.id });
  const paid = await on.c.pay(checkout.id, { payment_processor: on.c.sandbox });
  const { line_items } = await on.c.read(`/invoices/${paid.invoice}?fields=line_items`);
  return {
    order: order.id as number,
    items: order.items.map((item: any) => item.id) as number[],
    lines: line_items.map((line: any) => line.id) as number[],
    variants: [shirt.variant, mug.variant] as const,
    path: `/invoices/${paid.invoice}/credit`,
    customer,
  };
}

const stocks = async (variants: readonly number[]): Promise<number[]> => {
  const all: number[] = [];
  for (const variant of variants) all.push((await on.s.stock(variant)).stock);
  return all;
};

test('a credit note for a whole invoice returns everything to stock if staff say so, and nothing otherwise', async () => {
  const [kept, back] = [await bought(), await bought()];
  await on.s.done('POST', kept.path, REASON);
  assert.deepEqual(await stocks(kept.variants), [7, 9]);
  assert.equal((await on.c.read(`/store/orders/${kept.order}`)).status, 'paid');
  const preview = await on.s.done('POST', `${back.path}?dry_run=true`, {
    ...REASON,
    restock: true,
    give_back: 'refund',
  });
  assert.deepEqual(
    preview.effects.map(({ effect, detail }: any) => [effect, detail.quantity ?? detail.to_refund]),
    [
      ['stock_adjusted', 3],
      ['stock_adjusted', 1],
      ['credit_note', '41.00'],
      ['store_order_returned', undefined],
      ['refund', undefined],
    ],
  );
  assert.deepEqual(await stocks(back.variants), [7, 9]);
  const note = await on.s.done('POST', back.path, { ...REASON, restock: true, give_back: 'refund' });
  assert.equal(note.total_amount_due.string, '-41.00');
  assert.deepEqual(await stocks(back.variants), [10, 10]);
  const order = await on.c.read(`/store/orders/${back.order}`);
  assert.deepEqual([order.status, order.items.map((item: any) => item.returned_quantity)], ['returned', [3, 1]]);
  const { rows } = await on.c.owner.query(
    `SELECT payload->>'credit_note' AS note FROM feed_item WHERE provider_id = $1 AND kind = 'store_order_item.returned' AND object_id = ANY($2)`,
    [on.world.harbour, back.items],
  );
  assert.deepEqual([...new Set(rows.map((row) => Number(row.note)))], [note.id]);
  await driveAll(on.c.own());
  await on.s.counted();
  await on.c.balanced();
});

test('staff choose for each line what and how many return to stock, and the rest can still be returned', async () => {
  const { lines, items, variants, path, order } = await bought();
  const part = { line_item: lines[0], amount: '12.00', restock: true };
  await on.s.done('POST', path, { ...REASON, line_items: [{ ...part, quantity: 1 }, { line_item: lines[1] }] });
  assert.deepEqual(await stocks(variants), [8, 9]);
  assert.equal((await on.c.read(`/store/orders/${order}`)).status, 'paid');
  // A piece that was credited but not returned is returned later, without a second refund.
  await on.s.done('POST', `/store/order_items/${items[1]}/return`, REASON);
  await on.s.done('POST', `/store/order_items/${items[0]}/return`, { ...REASON, quantity: 1 });
  assert.deepEqual(await stocks(variants), [9, 10]);
  await on.s.done('POST', path, { ...REASON, restock: true });
  assert.deepEqual(await stocks(variants), [10, 10]);
  assert.equal((await on.c.read(`/store/orders/${order}`)).status, 'returned');
  const { rows } = await on.c.owner.query(
    'SELECT sum(total_minor)::int AS sum FROM invoice WHERE provider_id = $1 AND credits_invoice_id = $2',
    [on.world.harbour, Number(path.split('/')[2])],
  );
  assert.equal(rows[0].sum, -4100);
  await on.s.counted();
  await on.c.balanced();
});

test('a product that can’t return to stock is refused by name, and the whole request changes nothing', async () => {
  const { lines, variants, path } = await bought();
  const refusal = async (body: object) => {
    const { status, code, field_errors } = await on.s.refused('POST', path, { ...REASON, ...body });
    return [status, code, ...Object.keys(field_errors)];
  };
  const line = { line_item: lines[0], restock: true };
  for (const [body, at] of [
    [{ amount: '5.00', restock: true }, 'restock'],
    [{ line_items: [{ ...line, quantity: 4 }] }, 'line_items.0.quantity'],
    [{ line_items: [{ ...line, amount: '5.00' }] }, 'line_items.0.quantity'],
    [{ restock: true, line_items: [{ line_item: lines[0], amount: '5.00' }] }, 'line_items.0.quantity'],
    [{ line_items: [{ line_item: lines[0], quantity: 1 }] }, 'line_items.0.quantity'],
    [{ restock: true, line_items: [{ line_item: lines[0], restock: false }] }, undefined],
  ] as const)
    if (at) assert.deepEqual(await refusal(body), [400, 'parameter_invalid', at]);
    else await on.s.done('POST', `${path}?dry_run=true`, { ...REASON, ...body });
  assert.deepEqual(await stocks(variants), [7, 9]);
  await on.s.done('POST', path, { ...REASON, line_items: [{ ...line, quantity: 3 }] });
  assert.deepEqual(await refusal({ line_items: [line] }), [400, 'parameter_invalid', 'line_items.0.restock']);
  const charge = {
    customer: await on.world.newCustomer(),
    items: [{ item_type: 'QUICK_ITEM', description: 'Tea', unit_price: '2.00', purchase_type: 'store' }],
  };
  const sale = await on.s.done('POST', '/counter/sales', { ...charge, payments: [{ payment_processor: on.c.desk }] });
  const none = await on.s.refused('POST', `/counter/sales/${sale.id}/refund`, { ...REASON, restock: true });
  assert.deepEqual([none.status, Object.keys(none.field_errors)], [400, ['restock']]);
});

test('a payment refund returns the listed products to stock, never more than were bought, and a dry run shows it', async () => {
  const { order, items, lines, variants, path, customer } = await bought();
  const invoice = Number(path.split('/')[2]);
  const { rows: paid } = await on.c.owner.query(
    `SELECT payment_id AS id FROM invoice_charge WHERE provider_id = $1 AND invoice_id = $2`,
    [on.world.harbour, invoice],
  );
  const refund = `/payments/${paid[0].id}/refund`;
  const two = { ...REASON, amount: '20.00', restock: [{ line_item: lines[0], quantity: 2 }] };
  const preview = await on.s.done('POST', `${refund}?dry_run=true`, two);
  assert.deepEqual(
    preview.effects.map(({ effect, detail }: any) => [effect, detail.quantity ?? detail.amount]),
    [
      ['stock_adjusted', 2],
      ['credit_note', '20.00'],
      ['refund', '20.00'],
    ],
  );
  assert.deepEqual(await stocks(variants), [7, 9]);
  const outsiders = [on.world.customer(customer), on.world.staff(['store'])];
  for (const as of outsiders) assert.equal((await on.world.post(refund, { as, body: two })).status, 403);
  await on.s.done('POST', refund, two);
  assert.deepEqual(await stocks(variants), [9, 9]);
  for (const [restock, at] of [
    [[{ line_item: lines[0], quantity: 2 }], 'restock.0.quantity'],
    [[{ line_item: 999_999 }], 'restock.0.line_item'],
    [[{ line_item: lines[1] }, { line_item: lines[1] }], 'restock.1.line_item'],
    [[{ line_item: lines[1], quantity: 2 }], 'restock.0.quantity'],
  ] as const) {
    const refused = await on.s.refused('POST', refund, { ...REASON, amount: '1.00', restock });
    assert.deepEqual([refused.status, Object.keys(refused.field_errors)], [400, [at]]);
  }
  assert.deepEqual(await stocks(variants), [9, 9]);
  await on.s.done('POST', refund, { ...REASON, restock: lines.map((line_item) => ({ line_item })) });
  assert.deepEqual(await stocks(variants), [10, 10]);
  const after = await on.c.read(`/store/orders/${order}`);
  assert.deepEqual([after.status, after.items.map((item: any) => item.returned_quantity)], ['returned', [3, 1]]);
  const adjusted = await on.c.owner.query(
    `SELECT quantity, reason FROM store_inventory_adjustment WHERE provider_id = $1 AND store_order_item_id = ANY($2) AND quantity > 0 ORDER BY id`,
    [on.world.harbour, items],
  );
  assert.deepEqual(
    adjusted.rows.map(({ quantity, reason }) => [Number(quantity), reason]),
    [2, 1, 1].map((quantity) => [quantity, 'returned']),
  );
  await driveAll(on.c.own());
  await on.s.counted();
  await on.c.balanced();
});

test('a refund at the counter returns products to stock, also for a walk-in customer', async () => {
  const { variant } = await on.s.product({ stock: 5 });
  const sale = await on.s.done('POST', '/counter/sales', {
    items: [{ store_product_variant: variant, quantity: 2 }],
    payments: [{ payment_processor: on.c.desk }],
  });
  assert.deepEqual(await stocks([variant]), [3]);
  const refunded = await on.s.done('POST', `/counter/sales/${sale.id}/refund`, { ...REASON, restock: true });
  assert.equal(refunded.refunded_amount.string, '24.00');
  assert.deepEqual(await stocks([variant]), [5]);
  await on.s.counted();
  await on.c.balanced();
});

test('concurrent refunds with restock, returns, cancellations and sales of one product never deadlock, and the stock is right', async () => {
  const luck = chance(11);
  const { variant } = await on.s.product({ stock: 60 });
  const other = await on.s.product({ stock: 60 });
  const sold = async () => {
    const made = await on.s.ask('POST', '/store/orders', {
      customer: await on.world.newCustomer(),
      items: [variant, other.variant].map((id) => ({ store_product_variant: id, quantity: 2 })),
    });
    const checkout = await on.s.ask('POST', '/store/orders/checkout', { store_order: made.body.id });
    const paid = await on.s.ask('POST', `/checkouts/${checkout.body.id}/pay`, { payment_processor: on.c.sandbox });
    const { invoice } = paid.body;
    const { rows } = await on.c.owner.query(
      `SELECT l.id AS line, p.payment_id AS payment FROM invoice_line l JOIN invoice_charge p ON p.provider_id = l.provider_id AND p.invoice_id = l.invoice_id
       WHERE l.provider_id = $1 AND l.invoice_id = $2 ORDER BY l.id LIMIT 1`,
      [on.world.harbour, invoice],
    );
    const [{ line, payment }] = rows.map((row) => ({ line: Number(row.line), payment: Number(row.payment) }));
    return { order: made.body.id, items: made.body.items.map((item: any) => item.id), invoice, line, payment };
  };
  const before = await on.s.deadlocks();
  const statuses = new Set<number>();
  for (let round = 0; round < 4; round++) {
    const orders = await times(4, sold);
    await times(16, async (i) => {
      const { order, items, invoice, line, payment } = orders[i % 4];
      const act = [
        ['POST', `/invoices/${invoice}/credit`, { ...REASON, restock: true }],
        ['POST', `/store/order_items/${luck.of<number>(items)}/return`, { ...REASON, quantity: 1 }],
        ['POST', `/store/orders/${order}/cancel`, { give_back: 'refund' }],
        ['POST', `/invoices/${invoice}/credit`, { ...REASON, amount: '3.00', give_back: 'refund' }],
        ['POST', `/payments/${payment}/refund`, { ...REASON, amount: '2.00', restock: [{ line_item: line }] }],
      ] as const;
      const [method, path, body] = i < 8 ? luck.of([...act]) : act[Math.floor(i / 4) % 5];
      if (i % 5 === 4) await sold();
      else statuses.add((await on.s.ask(method, path, body)).status);
    });
  }
  assert.equal(await on.s.deadlocks(), before);
  assert.ok(
    ![...statuses].some((status) => status >= 500) && statuses.has(200) && statuses.has(201),
    [...statuses].join(),
  );
  await driveAll(on.c.own());
  await on.s.counted();
  // The missing stock is exactly what was sold and not returned.
  const { rows } = await on.c.owner.query(
    `SELECT store_product_variant_id AS variant, sum(quantity - returned_quantity)::int AS gone FROM store_order_item
     WHERE provider_id = $1 AND store_product_variant_id = ANY($2) AND unit_price_minor IS NOT NULL GROUP BY 1`,
    [on.world.harbour, [variant, other.variant]],
  );
  for (const row of rows) assert.equal((await on.s.stock(Number(row.variant))).stock, 60 - row.gone);
  await on.c.balanced();
});
