/** Purchases of two things by the service, against pgbench with the statements of one. */
import pg from 'pg';
import { CLIENTS, type Contest, type Length } from './contest.ts';
import { exchangesOf, type Installation, type Server } from './installation.ts';
import { FIRST, idsTaken } from './ids.ts';
import { scriptOf, type Script } from './script.ts';
import { sql } from '../server/kernel/base/db/sql.ts';

/** Purchases are spread over so many pairs of things where they are measured. */
export const PAIRS = 100;

/** More customers than pgbench sells to in one turn. */
const TURN = 4000;
/** pgbench prepares a hundred statements on each of its connections first: a short turn would measure little else. */
const SECONDS = 10;

export type Ask = (method: string, path: string, body: object) => Promise<{ status: number; body: any }>;

export const askingAt =
  (base: string, headers: Record<string, string>): Ask =>
  async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${base}/api/v2${path}`, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };

export const asking = ({ token }: Installation, { url }: Server): Ask =>
  askingAt(url, { authorization: `Bearer ${token}`, 'content-type': 'application/json' });

export interface Purchase {
  readonly name: string;
  /** the requests, one after the other; returns the status of the checkout, or why something was refused */
  readonly buy: (ask: Ask, customer: number, things: readonly number[]) => Promise<string>;
  /** what is bought has the ids after this one, which stand for nothing else */
  readonly things: number;
  /** so many pairs of them, which purchases take in turns */
  readonly pairs: number;
  /** tables whose rows a purchase makes and names again */
  readonly numbered: readonly string[];
}

/** `sold`: how many customers, counted from the first, have bought something by now. */
export async function purchaseContest(
  installation: Installation,
  server: Server,
  { name, buy, things, pairs, numbered }: Purchase,
  { seconds }: Length,
): Promise<{ contest: Contest; sold: () => number }> {
  const ask = asking(installation, server);
  const { first } = installation.customers;
  const pairOf = (nth: number): readonly [number, number] => {
    const thing = things + 1 + 2 * (nth % pairs);
    return [thing, thing + 1];
  };
  // Numbers that stand for nothing else are among the last.
  let { n } = installation.customers;
  let next = 0;
  const ours = async (): Promise<number> => {
    const until = performance.now() + seconds * 1000;
    let bought = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until && next < n) {
          const became = await buy(ask, first + next, pairOf(next++));
          if (became !== 'completed') throw new Error(`a purchase became ${became}`);
          bought++;
        }
      }),
    );
    return bought / seconds;
  };
  const captured = await capture(installation, { buy, things, pairs, numbered }, () => first + --n);
  const contest: Contest = {
    name,
    reach: 0.4,
    ours,
    unpipelined: true,
    theirs: async (_shape, play) => {
      const before = await completed(installation);
      const base = first + next;
      next += TURN;
      const { tps, transactions } = await play(installation.url, captured, Math.max(seconds, SECONDS), {
        clients: CLIENTS,
        turn: -1,
        base,
      });
      const made = (await completed(installation)) - before;
      if (made !== transactions) throw new Error(`pgbench ran ${transactions} purchases and completed ${made}`);
      return tps;
    },
  };
  return { contest, sold: () => next };
}

/**
 * The statements of one purchase, of a customer who stands for nothing else in it. What the database numbers begins at
 * numbers that stand for nothing else either.
 */
async function capture(
  installation: Installation,
  { buy, things, pairs, numbered }: Omit<Purchase, 'name'>,
  nextCustomer: () => number,
): Promise<Script> {
  await number(installation, Object.fromEntries(numbered.map((table, n) => [table, FIRST + n * 1_000_000])));
  let customer = 0;
  const exchanges = await exchangesOf(installation, async (base, headers) => {
    customer = nextCustomer();
    const became = await buy(askingAt(base, headers), customer, [things + 1, things + 2]);
    if (became !== 'completed') throw new Error(`the purchase to be measured became ${became}`);
  });
  const { substitutions, taken } = idsTaken(exchanges);
  const commands = exchanges.map((one) => one.commands);
  // Holds of different purchases end at different times, so their jobs have different keys.
  const keys = new Set(
    commands.flat().flatMap(({ values }) => values.flatMap((v) => v?.match(/\d+:waitlist:[^",{}]+/g) ?? [])),
  );
  const prelude = [
    '\\set turn :turn + 1',
    '\\set n :turn * :clients + :client_id',
    '\\set customer :base + :n',
    `\\set thing ${things + 1} + 2 * (:n % ${pairs})`,
    '\\set other :thing + 1',
  ].join('\n');
  return scriptOf(
    commands,
    [
      { value: String(customer), by: ':customer', within: true },
      { value: String(things + 1), by: ':thing', within: true },
      { value: String(things + 2), by: ':other', within: true },
      ...[...keys].map((value, n) => ({
        value,
        by: `:customer::text || '-waitlist-${n}'`,
        within: true as const,
      })),
      ...substitutions,
    ],
    prelude,
    'round trips',
    taken,
  );
}

/** What is made next in these tables has the numbers after these. */
export async function number({ url }: Installation, last: Readonly<Record<string, number>>): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  for (const [table, id] of Object.entries(last))
    await owner.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), $1)`, [id]);
  await owner.end();
}

const completed = async ({ db, provider }: Installation): Promise<number> =>
  (await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM checkout k JOIN invoice v ON v.provider_id = k.provider_id AND v.id = k.invoice_id AND v.status = 'paid'
          WHERE k.provider_id = ${provider} AND k.status = 'completed'`,
    ),
  ))!.n;
