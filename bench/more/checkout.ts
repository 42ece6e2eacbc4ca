/** Whole purchases: a checkout, two items and a payment in the sandbox. Also 200 buyers of the last ten places. */
import { asking, number, PAIRS, purchaseContest, type Ask } from './purchases.ts';
import { Latencies } from '../kit/latencies.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Installation, Server } from '../kit/installation.ts';
import { contend, type Contest, type Length } from '../kit/contest.ts';
import type { Report } from '../kit/report.ts';

const [BUYERS, PLACES] = [200, 10];

/** The ids of the purchased events begin after this number, and occur nowhere else. */
const EVENTS = 700_000_000;

const NUMBERED = [
  'checkout',
  'checkout_item',
  'seat_hold',
  'attendance',
  'payment',
  'sandbox_charge',
  'invoice',
  'invoice_line',
  'invoice_charge',
];

export async function checkoutRows(
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
): Promise<void> {
  const { contest, sold, buy, offering } = await checkoutContest(installation, server, length);
  await contend(report, contest, length);
  const ask = asking(installation, server);
  const first = installation.customers.first + sold();
  await rush(report, installation, (customer, last) => buy(ask, customer, [last]), offering, first);
}

type Buy = (by: Ask, customer: number, events: readonly number[]) => Promise<string>;

export async function checkoutContest(
  installation: Installation,
  server: Server,
  length: Length,
): Promise<{ contest: Contest; sold: () => number; buy: Buy; offering: number }> {
  const ask = asking(installation, server);
  const processor = (await ask('POST', '/payment_processors', { kind: 'sandbox', name: 'Card' })).body.id;
  const offering = await priced(installation);
  await number(installation, { event: EVENTS });
  await newEvents(installation, offering, { n: PAIRS * 2, places: null });
  const buy: Buy = async (by, customer, events) => {
    const { body: opened } = await by('POST', '/checkouts', { customer });
    for (const one of events) {
      const added = await by('POST', `/checkouts/${opened.id}/add_item`, { item_type: 'CLASS_DRP', event: one });
      if (added.status !== 200) return added.body.code;
    }
    const { body: paid } = await by('POST', `/checkouts/${opened.id}/pay`, { payment_processor: processor });
    return paid.status ?? paid.code;
  };
  const purchase = {
    name: 'checkout (create, two items, pay by sandbox)',
    buy,
    things: EVENTS,
    pairs: PAIRS,
    numbered: NUMBERED,
  };
  return { ...(await purchaseContest(installation, server, purchase, length)), buy, offering };
}

/** Lets everybody buy at the same moment; customers who got no place are not charged. */
async function rush(
  report: Report,
  installation: Installation,
  buy: (customer: number, event: number) => Promise<string>,
  offering: number,
  first: number,
): Promise<void> {
  const event = await newEvents(installation, offering, { n: 1, places: PLACES });
  const latencies = new Latencies();
  const outcomes = await Promise.all(
    Array.from({ length: BUYERS }, async (_, i) => {
      const begin = performance.now();
      const outcome = await buy(first + i, event);
      latencies.add(performance.now() - begin);
      return outcome;
    }),
  );
  const completed = outcomes.filter((one) => one === 'completed').length;
  const { db, provider } = installation;
  const charged = (await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM payment
        WHERE provider_id = ${provider} AND customer_id BETWEEN ${first}::bigint AND ${first + BUYERS - 1}::bigint
          AND status = 'succeeded'`,
    ),
  ))!.n;
  report.add({
    name: `${BUYERS} buyers of the last ${PLACES} places: p99 of a purchase`,
    figure: latencies.summary().p99,
    unit: 'ms',
  });
  report.add({
    name: '  places sold or charged wrongly',
    figure: Math.abs(completed - PLACES) + Math.abs(charged - PLACES),
    reach: 0,
    better: 'lower',
  });
}

/** Creates an offering type whose drop-ins have a price. */
async function priced({ db, provider }: Installation): Promise<number> {
  const row = await db.transaction(provider, (tx) =>
    tx.one<{ id: number }>(
      sql`INSERT INTO offering_type (provider_id, name, dropin_price_minor) VALUES (${provider}, 'Drop-in', 1500)
        RETURNING id`,
    ),
  );
  return row!.id;
}

/** Creates `n` events like the first one; returns the id of the first of them. */
async function newEvents(
  { db, provider, events }: Installation,
  offering: number,
  { n, places }: { n: number; places: number | null },
): Promise<number> {
  const rows = await db.transaction(provider, (tx) =>
    tx.rows<{ id: number }>(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at,
        local_ends_at, max_occupancy)
      SELECT provider_id, ${offering}::bigint, venue_id, 'Drop-in', timezone, starts_at, ends_at, local_starts_at,
        local_ends_at, ${places}::int
      FROM event, generate_series(1, ${n}::int) WHERE provider_id = ${provider} AND id = ${events.first} RETURNING id`),
  );
  return rows[0].id;
}
