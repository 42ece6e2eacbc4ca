/** Whole purchases: a checkout, two items and a payment in the sandbox. And 200 buyers of the last ten places. */
import { CLIENTS } from './contest.ts';
import { headersFor, readFor } from './reads.ts';
import { Latencies } from './latencies.ts';
import { paired } from './report.ts';
import { prepare } from './load.ts';
import { sql } from '../server/kernel/db/sql.ts';
import type { Installation, Server } from './installation.ts';
import type { Length } from './contest.ts';
import type { Report } from './report.ts';

const [BUYERS, PLACES] = [200, 10];

/** What a purchase is made of: requests that wait for each other. */
const REQUESTS = 4;

type Ask = (method: string, path: string, body: object) => Promise<{ status: number; body: any }>;

export async function checkoutRows(
  report: Report,
  installation: Installation,
  server: Server,
  { turns, seconds }: Length,
): Promise<void> {
  const ask = asking(installation, server);
  const processor = (await ask('POST', '/payment_processors', { kind: 'sandbox', name: 'Card' })).body.id;
  const offering = await priced(installation);
  const { first, n } = installation.customers;
  let next = 0;
  const event = await newEvent(installation, offering, null);
  const other = await newEvent(installation, offering, null);
  const buy = async (customer: number, events: readonly number[]): Promise<string> => {
    const { body: opened } = await ask('POST', '/checkouts', { customer });
    for (const one of events) {
      const added = await ask('POST', `/checkouts/${opened.id}/add_item`, { item_type: 'CLASS_DRP', event: one });
      if (added.status !== 200) return added.body.code;
    }
    const { body: paid } = await ask('POST', `/checkouts/${opened.id}/pay`, { payment_processor: processor });
    return paid.status ?? paid.code;
  };
  const ours = async (): Promise<number> => {
    const until = performance.now() + seconds * 1000;
    let bought = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until && next < n) {
          const became = await buy(first + next++, [event, other]);
          if (became !== 'completed') throw new Error(`a purchase became ${became}`);
          bought++;
        }
      }),
    );
    return bought / seconds;
  };
  // The cheapest request that the service answers to a caller, as many as a purchase has.
  const path = `/api/v2/providers/${installation.provider}?fields=id`;
  const cheapest = prepare({ method: 'GET', path, headers: headersFor(installation, server) });
  const theirs = async (): Promise<number> => (await readFor(seconds, server, () => cheapest)) / REQUESTS;
  await ours();
  report.add({
    name: 'purchases of two items, paid, against as many of the cheapest requests',
    ...(await paired(turns, ours, theirs)),
    reach: null,
    unit: '/s',
  });
  await rush(report, installation, (customer, last) => buy(customer, [last]), offering, first + next);
}

/** Everybody at the same moment; whoever is not told that they have a place was not charged. */
async function rush(
  report: Report,
  installation: Installation,
  buy: (customer: number, event: number) => Promise<string>,
  offering: number,
  first: number,
): Promise<void> {
  const event = await newEvent(installation, offering, PLACES);
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
      sql`SELECT count(*)::int AS n FROM payment WHERE provider_id = ${provider} AND customer_id >= ${first}::bigint AND status = 'succeeded'`,
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

export const asking =
  ({ token }: Installation, { url }: Server): Ask =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v2${path}`, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };

/** An offering type whose drop-ins cost something. */
async function priced({ db, provider }: Installation): Promise<number> {
  const row = await db.transaction(provider, (tx) =>
    tx.one<{ id: number }>(
      sql`INSERT INTO offering_type (provider_id, name, dropin_price_minor) VALUES (${provider}, 'Drop-in', 1500) RETURNING id`,
    ),
  );
  return row!.id;
}

async function newEvent(
  { db, provider, events }: Installation,
  offering: number,
  places: number | null,
): Promise<number> {
  const row = await db.transaction(provider, (tx) =>
    tx.one<{ id: number }>(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at, local_ends_at, max_occupancy)
      SELECT provider_id, ${offering}::bigint, venue_id, 'Drop-in', timezone, starts_at, ends_at, local_starts_at, local_ends_at, ${places}::int
      FROM event WHERE provider_id = ${provider} AND id = ${events.first} RETURNING id`),
  );
  return row!.id;
}
