/**
 * A day of a city's recreation centers, through HTTP only: customers are created, book, join waitlists, cancel and
 * check in; afterwards everything must be as the responses said. Creates its own installation unless it is given one.
 */
import { parseArgs } from 'node:util';
import { Database } from '../server/kernel/base/db/database.ts';
import { ensureDatabase } from '../server/kernel/base/db/embedded/embedded.ts';
import { prepareDatabase } from '../server/kernel/base/db/schema/prepare.ts';
import { buildCity } from './city/schedule.ts';
import { checkAnswers, checkDatabase, checkFeed } from './city/day-audit.ts';
import { liveTheDay, type Caller, type DayPlan, type DayResult } from './city/day.ts';
import { serve, startCluster, vacuum } from './kit/installation.ts';

const USAGE = `Usage: node bin/rollcall.mjs run bench/city-day.ts --csv FILE [options]
       node bin/rollcall.mjs run bench/city-day.ts --base-url URL --token TOKEN --from TIME [options]

  --csv FILE       sessions as the mapping city-drop-in takes them; an installation is made for them and removed afterwards
  --base-url URL   of a running installation on this machine that serves with RATE_LIMIT=off
  --token TOKEN    machine token of a business there that has events with places, and no bookings yet
  --from TIME      when the day begins there, as 2027-01-05T06:00:00Z
  --bookings N     20000
  --customers N    5000
  --days N         people book events that begin within that many days; 3
  --places N       of each event of the file; 12
  --connections N  16
  --seed N         1; the same seed gives the same wishes`;

const DAY_MS = 86_400_000;
const FEED_WITHIN_MS = 60_000;
const NUMBERS = { bookings: 20_000, customers: 5000, days: 3, places: 12, connections: 16, seed: 1 };
type Numbers = typeof NUMBERS;

async function main(): Promise<number> {
  let work: () => Promise<void>;
  try {
    work = understood();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(`FAILED: ${(error as Error).stack ?? error}`);
    return 1;
  }
}

function understood(): () => Promise<void> {
  const texts = ['csv', 'base-url', 'token', 'from', ...Object.keys(NUMBERS)];
  const { values } = parseArgs({
    options: Object.fromEntries(texts.map((name) => [name, { type: 'string' as const }])),
  });
  const given = values as Record<string, string | undefined>;
  const numbers = { ...NUMBERS };
  for (const name of Object.keys(NUMBERS) as (keyof Numbers)[]) {
    if (given[name] !== undefined) numbers[name] = Number(given[name]);
    if (!Number.isInteger(numbers[name]) || numbers[name] < 1)
      throw new Error(`--${name} must be a positive whole number.`);
  }
  const { csv, 'base-url': url, token, from } = given;
  if (csv !== undefined && url === undefined) return () => onItsOwn(csv, numbers);
  if (csv !== undefined || url === undefined || token === undefined || from === undefined)
    throw new Error('Give --csv, or --base-url with --token and --from.');
  if (Number.isNaN(Date.parse(from))) throw new Error(`--from must be an instant, not "${from}".`);
  return () => onRunning({ url: url.replace(/\/+$/, ''), token }, Date.parse(from), numbers);
}

const planOf = (from: number, { bookings, customers, connections, seed, days }: Numbers): DayPlan => ({
  bookings,
  customers,
  connections,
  seed,
  from,
  to: from + days * DAY_MS,
});

async function onRunning(caller: Caller, from: number, numbers: Numbers): Promise<void> {
  const result = await liveTheDay(caller, planOf(from, numbers));
  print(result, await checkAnswers(caller, result));
  console.log(
    'As people were told: bookings and waitlists. Counters, order of promotion and feed are checked with --csv only.',
  );
}

async function onItsOwn(csv: string, numbers: Numbers): Promise<void> {
  const cluster = await startCluster();
  try {
    const url = await ensureDatabase(cluster.url, 'city');
    await prepareDatabase(url);
    const db = new Database({ url, size: 4 });
    try {
      const city = await buildCity(db, csv, numbers.places);
      const { made } = city.summary.events;
      console.log(
        `${made.toLocaleString('en')} events of ${city.summary.made.venues} venues imported; ${city.summary.rejected} rows could not be understood.`,
      );
      await vacuum(url);
      // The dates of the file may be past, so the service gets a fake clock.
      const server = await serve(url, { ROLE: 'all', BENCH_NOW: String(city.busiest) });
      try {
        const caller = { url: server.url, token: city.token };
        const result = await liveTheDay(caller, planOf(city.busiest, numbers));
        const promoted = await checkAnswers(caller, result);
        await checkDatabase(db, city.provider, result, promoted);
        print(result, promoted);
        console.log(
          `As people were told: bookings, waitlists and their order, counters, ${(await checkFeed(db, city.provider, FEED_WITHIN_MS)).toLocaleString('en')} feed items without a gap.`,
        );
      } finally {
        await server.stop();
      }
    } finally {
      await db.close();
    }
  } finally {
    await cluster.remove();
  }
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n.toLocaleString('en')} ${name}`)
    .join(', ');

function print(result: DayResult, promoted: number): void {
  const { requests, refusals, errands, seconds, p50, p99, max } = result;
  const total = Object.values(requests).reduce((a, b) => a + b, 0);
  const outcome: Record<string, number> = {};
  for (const errand of errands) outcome[errand.outcome] = (outcome[errand.outcome] ?? 0) + 1;
  console.log(
    [
      `${result.customers.toLocaleString('en')} customers, ${errands.length.toLocaleString('en')} wishes for ${result.events.toLocaleString('en')} events.`,
      `Requests: ${list(requests)}.`,
      `Refused:  ${list(refusals)}.`,
      `In the end: ${list(outcome)}; ${promoted.toLocaleString('en')} of the waiting got a place.`,
      `${total.toLocaleString('en')} requests in ${seconds.toFixed(1)} s: ${Math.round(total / seconds).toLocaleString('en')}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(0)} ms.`,
    ].join('\n'),
  );
}

process.exitCode = await main();
