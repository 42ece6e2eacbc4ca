/**
 * Orders of the store: a cart with two items, its checkout and a payment in the sandbox. Also 200 buyers of the last
 * ten items.
 */
import { asking, number, PAIRS, purchaseContest, type Ask } from './purchases.ts';
import { Latencies } from '../kit/latencies.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Installation, Server } from '../kit/installation.ts';
import { contend, type Contest, type Length } from '../kit/contest.ts';
import type { Report } from '../kit/report.ts';

const [BUYERS, ITEMS] = [200, 10];

/** The ids of the purchased variants begin after this number, and occur nowhere else. */
const VARIANTS = 600_000_000;
const STOCK = 1_000_000;

const NUMBERED = [
  'store_order',
  'store_order_item',
  'checkout',
  'checkout_item',
  'stock_hold',
  'store_inventory_adjustment',
  'payment',
  'sandbox_charge',
  'invoice',
  'invoice_line',
  'invoice_charge',
];

export async function storeRows(
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
): Promise<void> {
  const { contest, sold, buy } = await storeContest(installation, server, length);
  await contend(report, contest, length);
  const ask = asking(installation, server);
  const [last] = await shelve(ask, 1, ITEMS);
  const first = installation.customers.first + sold();
  await rush(report, installation, last, (customer, variants) => buy(ask, customer, variants), first);
}

type Buy = (by: Ask, customer: number, variants: readonly number[]) => Promise<string>;

export async function storeContest(
  installation: Installation,
  server: Server,
  length: Length,
  pairs = PAIRS,
): Promise<{ contest: Contest; sold: () => number; buy: Buy }> {
  const ask = asking(installation, server);
  const processor = (await ask('POST', '/payment_processors', { kind: 'sandbox', name: 'Card at the store' })).body.id;
  const buy: Buy = async (by, customer, variants) => {
    const items = variants.map((one) => ({ store_product_variant: one }));
    const ordered = await by('POST', '/store/orders', { customer, items });
    if (ordered.status !== 201) return ordered.body.code;
    const { body: opened, status } = await by('POST', '/store/orders/checkout', { store_order: ordered.body.id });
    if (status !== 201) return opened.code;
    const { body: paid } = await by('POST', `/checkouts/${opened.id}/pay`, { payment_processor: processor });
    return paid.status ?? paid.code;
  };
  await number(installation, { store_product_variant: VARIANTS });
  await shelve(ask, pairs * 2, STOCK);
  const purchase = {
    name: 'store order (two items, pay by sandbox)',
    buy,
    things: VARIANTS,
    pairs,
    numbered: NUMBERED,
  };
  return { ...(await purchaseContest(installation, server, purchase, length)), buy };
}

/** Creates products of one variant each; returns the ids of the variants, in order. */
async function shelve(ask: Ask, n: number, stock: number): Promise<number[]> {
  const variants: number[] = [];
  for (let i = 0; i < n; i++) {
    const { body: product } = await ask('POST', '/store/products', { name: 'Towel', price: '12.00' });
    const [id] = product.variants;
    await ask('POST', '/store/inventory_adjustments', {
      store_product_variant: id,
      quantity: stock,
      reason: 'received',
    });
    variants.push(id);
  }
  return variants;
}

/** Lets everybody buy at the same moment; customers who got none are not charged. */
async function rush(
  report: Report,
  { db, provider }: Installation,
  last: number,
  buy: (customer: number, variants: readonly number[]) => Promise<string>,
  first: number,
): Promise<void> {
  const latencies = new Latencies();
  const outcomes = await Promise.all(
    Array.from({ length: BUYERS }, async (_, i) => {
      const begin = performance.now();
      const outcome = await buy(first + i, [last]);
      latencies.add(performance.now() - begin);
      return outcome;
    }),
  );
  const completed = outcomes.filter((one) => one === 'completed').length;
  const found = (await db.transaction(provider, (tx) =>
    tx.one<{ charged: number; stock: number; held: number }>(
      sql`SELECT v.stock_count AS stock, v.held_count AS held, (SELECT count(*)::int FROM payment p
            JOIN checkout_item i ON i.provider_id = p.provider_id AND i.checkout_id = p.payee_id
            WHERE p.provider_id = ${provider} AND p.payee = 'checkout' AND p.status = 'succeeded'
              AND i.store_product_variant_id = v.id) AS charged
          FROM store_product_variant v WHERE v.provider_id = ${provider} AND v.id = ${last}`,
    ),
  ))!;
  report.add({
    name: `${BUYERS} buyers of the last ${ITEMS} items: p99 of an order`,
    figure: latencies.summary().p99,
    unit: 'ms',
  });
  report.add({
    name: '  items sold, held or charged wrongly',
    figure: Math.abs(completed - ITEMS) + Math.abs(found.charged - ITEMS) + found.stock + found.held,
    reach: 0,
    better: 'lower',
  });
}
