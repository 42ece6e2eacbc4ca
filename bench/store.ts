/** Orders of the store: a cart with two items, its checkout and a payment in the sandbox. And 200 buyers of the last ten. */
import { asking } from './checkout.ts';
import { CLIENTS } from './contest.ts';
import { headersFor, readFor } from './reads.ts';
import { Latencies } from './latencies.ts';
import { paired } from './report.ts';
import { prepare } from './load.ts';
import { sql } from '../server/kernel/db/sql.ts';
import type { Installation, Server } from './installation.ts';
import type { Length } from './contest.ts';
import type { Report } from './report.ts';

const [BUYERS, ITEMS] = [200, 10];

/** What an order is made of: requests that wait for each other. */
const REQUESTS = 3;

export async function storeRows(
  report: Report,
  installation: Installation,
  server: Server,
  { turns, seconds }: Length,
): Promise<void> {
  const ask = asking(installation, server);
  const processor = (await ask('POST', '/payment_processors', { kind: 'sandbox', name: 'Card at the store' })).body.id;
  const { first, n } = installation.customers;
  let next = 0;
  const variant = async (stock: number): Promise<number> => {
    const { body: product } = await ask('POST', '/store/products', { name: 'Towel', price: '12.00' });
    const [id] = product.variants;
    await ask('POST', '/store/inventory_adjustments', {
      store_product_variant: id,
      quantity: stock,
      reason: 'received',
    });
    return id;
  };
  const buy = async (customer: number, variants: readonly number[]): Promise<string> => {
    const items = variants.map((one) => ({ store_product_variant: one }));
    const ordered = await ask('POST', '/store/orders', { customer, items });
    if (ordered.status !== 201) return ordered.body.code;
    const { body: opened, status } = await ask('POST', '/store/orders/checkout', { store_order: ordered.body.id });
    if (status !== 201) return opened.code;
    const { body: paid } = await ask('POST', `/checkouts/${opened.id}/pay`, { payment_processor: processor });
    return paid.status ?? paid.code;
  };
  // As many products as a shop has, so that buyers meet at one no more often than there.
  const shelf: number[] = [];
  for (let i = 0; i < 40; i++) shelf.push(await variant(1_000_000));
  const ours = async (): Promise<number> => {
    const until = performance.now() + seconds * 1000;
    let bought = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until && next < n) {
          const nth = next++;
          const two = [shelf[nth % shelf.length], shelf[(nth + 7) % shelf.length]];
          const became = await buy(first + nth, two);
          if (became !== 'completed') throw new Error(`an order became ${became}`);
          bought++;
        }
      }),
    );
    return bought / seconds;
  };
  // The cheapest request that the service answers to a caller, as many as an order has.
  const path = `/api/v2/providers/${installation.provider}?fields=id`;
  const cheapest = prepare({ method: 'GET', path, headers: headersFor(installation, server) });
  const theirs = async (): Promise<number> => (await readFor(seconds, server, () => cheapest)) / REQUESTS;
  await ours();
  report.add({
    name: 'store orders of two items, paid, against as many of the cheapest requests',
    ...(await paired(turns, ours, theirs)),
    reach: null,
    unit: '/s',
  });
  await rush(report, installation, await variant(ITEMS), buy, first + next);
}

/** Everybody at the same moment; whoever did not get one was not charged. */
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
            WHERE p.provider_id = ${provider} AND p.payee = 'checkout' AND p.status = 'succeeded' AND i.store_product_variant_id = v.id) AS charged
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
