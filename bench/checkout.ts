/** Whole purchases: a checkout, two items and a payment in the sandbox. And 200 buyers of the last ten places. */
import pg from 'pg';
import { CLIENTS, contend, runScript } from './contest.ts';
import { exchangesOf, type Installation, type Server } from './installation.ts';
import { FIRST, idsTaken } from './ids.ts';
import { Latencies } from './latencies.ts';
import { scriptOf, type Script } from './script.ts';
import { sql } from '../server/kernel/db/sql.ts';
import type { Length } from './contest.ts';
import type { Report } from './report.ts';

const [BUYERS, PLACES] = [200, 10];

/** The ids of what is bought begin after this, and stand for nothing else. */
const EVENTS = 700_000_000;
/** Purchases are spread over so many pairs of events. */
const PAIRS = 100;
const pairOf = (n: number): readonly [number, number] => {
  const event = EVENTS + 1 + 2 * (n % PAIRS);
  return [event, event + 1];
};

/** More customers than pgbench sells to in one turn. */
const TURN = 4000;
/** pgbench prepares a hundred statements on each of its connections first: a short turn would measure little else. */
const SECONDS = 10;

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
  const { first } = installation.customers;
  // Numbers that stand for nothing else are among the last.
  let { n } = installation.customers;
  let next = 0;
  await number(installation, { event: EVENTS });
  await newEvents(installation, offering, { n: PAIRS * 2, places: null });
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
          const became = await buy(first + next, pairOf(next++));
          if (became !== 'completed') throw new Error(`a purchase became ${became}`);
          bought++;
        }
      }),
    );
    return bought / seconds;
  };
  const captured = await capture(installation, { processor, events: pairOf(0) }, () => first + --n);
  await contend(
    report,
    {
      name: 'checkout (create, two items, pay by sandbox)',
      reach: 0.4,
      ours,
      unpipelined: true,
      theirs: async () => {
        const before = await completed(installation);
        const base = first + next;
        next += TURN;
        const { tps, transactions } = await runScript(installation.url, captured, Math.max(seconds, SECONDS), {
          clients: CLIENTS,
          turn: -1,
          base,
        });
        const made = (await completed(installation)) - before;
        if (made !== transactions) throw new Error(`pgbench ran ${transactions} purchases and completed ${made}`);
        return tps;
      },
    },
    { turns, seconds },
  );
  await rush(report, installation, (customer, last) => buy(customer, [last]), offering, first + next);
}

/**
 * The statements of one purchase, of a customer who stands for nothing else in it. What the database numbers begins at
 * numbers that stand for nothing else either.
 */
async function capture(
  installation: Installation,
  { processor, events }: { readonly processor: number; readonly events: readonly number[] },
  nextCustomer: () => number,
): Promise<Script> {
  await number(installation, Object.fromEntries(NUMBERED.map((table, n) => [table, FIRST + n * 1_000_000])));
  let customer = 0;
  const exchanges = await exchangesOf(installation, async (base, headers) => {
    customer = nextCustomer();
    const ask = async (method: string, path: string, body: object): Promise<any> => {
      const answer = await fetch(`${base}/api/v2${path}`, { method, headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
      return answer.json();
    };
    const { id } = await ask('POST', '/checkouts', { customer });
    for (const event of events) await ask('POST', `/checkouts/${id}/add_item`, { item_type: 'CLASS_DRP', event });
    await ask('POST', `/checkouts/${id}/pay`, { payment_processor: processor });
  });
  const { substitutions, taken } = idsTaken(exchanges);
  const commands = exchanges.map((one) => one.commands);
  // Holds of different purchases end at different times, so their jobs have different keys.
  const keys = new Set(commands.flat().flatMap(({ values }) => values.filter((v) => v?.includes(':waitlist:'))));
  const prelude = [
    '\\set turn :turn + 1',
    '\\set n :turn * :clients + :client_id',
    '\\set customer :base + :n',
    `\\set event ${EVENTS + 1} + 2 * (:n % ${PAIRS})`,
    '\\set other :event + 1',
  ].join('\n');
  return scriptOf(
    commands,
    [
      { value: String(customer), by: ':customer', within: true },
      { value: String(events[0]), by: ':event', within: true },
      { value: String(events[1]), by: ':other', within: true },
      ...[...keys].map((value, n) => ({ value: value!, by: `:customer::text || '-waitlist-${n}'` })),
      ...substitutions,
    ],
    prelude,
    'round trips',
    taken,
  );
}

/** What is made next in these tables has the numbers after these. */
async function number({ url }: Installation, last: Readonly<Record<string, number>>): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  for (const [table, id] of Object.entries(last))
    await owner.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), $1)`, [id]);
  await owner.end();
}

/** What a purchase makes and names again. */
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

const completed = async ({ db, provider }: Installation): Promise<number> =>
  (await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM checkout k JOIN invoice v ON v.provider_id = k.provider_id AND v.id = k.invoice_id AND v.status = 'paid'
          WHERE k.provider_id = ${provider} AND k.status = 'completed'`,
    ),
  ))!.n;

/** Everybody at the same moment; whoever is not told that they have a place was not charged. */
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
      sql`SELECT count(*)::int AS n FROM payment WHERE provider_id = ${provider} AND customer_id BETWEEN ${first}::bigint AND ${first + BUYERS - 1}::bigint AND status = 'succeeded'`,
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

/** Of `n` like the first event; returns the id of the first of them. */
async function newEvents(
  { db, provider, events }: Installation,
  offering: number,
  { n, places }: { n: number; places: number | null },
): Promise<number> {
  const rows = await db.transaction(provider, (tx) =>
    tx.rows<{ id: number }>(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at, local_ends_at, max_occupancy)
      SELECT provider_id, ${offering}::bigint, venue_id, 'Drop-in', timezone, starts_at, ends_at, local_starts_at, local_ends_at, ${places}::int
      FROM event, generate_series(1, ${n}::int) WHERE provider_id = ${provider} AND id = ${events.first} RETURNING id`),
  );
  return rows[0].id;
}
