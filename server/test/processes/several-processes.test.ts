/** Limits on requests and open streams if several services share one database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { OVERDRAFT } from '../../scale/processes/shared-buckets.ts';
import { POLICIES } from '../../kernel/api/limits/limits.ts';
import { STREAM_DEFAULTS } from '../../kernel/api/requests/streams.ts';
import { beside, times, until } from '../storm.ts';
import { install, serve, type Installed, type Served } from './durable.ts';
import { serveHere } from './serve-here.ts';
import { openStream } from '../outside/event-stream.ts';
import { clockFile, TestClock } from '../clock.ts';

const { quota } = POLICIES.address;

let here: Installed;
let eye: pg.Client;
const running = new Set<{ readonly url: string; end(): Promise<unknown> }>();
/** Processes that the tests kill. */
const doomed: Served[] = [];
before(async () => {
  here = await install();
  // The clock is fixed, so no bucket is refilled.
  new TestClock({ file: clockFile(here.url) }).reset();
  eye = await beside(here.url);
  await times(3, start);
});
after(async () => {
  for (const { process } of doomed)
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
  await Promise.all([...running].map((served) => served.end()));
  await eye?.end();
  await here?.remove();
});

const SETTINGS = { RATE_LIMIT: 'on', TRUST_PROXY: 'on' };

/** Starts a service in this process that shares only the database with the others. */
async function start(): Promise<void> {
  const { url, close } = await serveHere(here.url, SETTINGS);
  running.add({ url, end: close });
}

/** Waits until every running server counts this many servers. */
const counted = (n: number) =>
  until(`all count ${n} servers`, async () => {
    const { rows } = await eye.query(
      `SELECT servers FROM process WHERE NOT ended AND seen_at > clock_timestamp() - interval '5 s'`,
    );
    return rows.length === n && rows.every((row) => row.servers === n);
  });

const list = () => [...running].map((served) => served.url);

interface Answer {
  readonly status: number;
  readonly left: number;
}

/** Sends a request without a credential, from the given address. */
async function ask(base: string, address: string): Promise<Answer> {
  const response = await fetch(`${base}/api/v2/providers/${here.harbour}`, { headers: { 'x-forwarded-for': address } });
  await response.arrayBuffer();
  return { status: response.status, left: Number(/;r=(\d+)/.exec(response.headers.get('ratelimit')!)![1]) };
}

/**
 * Sends requests as fast as possible until the limit is used up and every process has refused; returns how many were
 * served.
 */
async function exhaust(bases: readonly string[], address: string): Promise<number> {
  const refused = new Set<string>();
  let served = 0;
  await Promise.all(
    bases.flatMap((base) =>
      times(4, async () => {
        while (refused.size < bases.length || served < quota) {
          const { status } = await ask(base, address);
          if (status === 429) refused.add(base);
          else served += 1;
        }
      }),
    ),
  );
  return served;
}

// Guards against: Getting more requests or streams by spreading them over processes
test('a caller has one limit across all processes, and each of them reports what is left correctly', async () => {
  await counted(3);
  const served = await exhaust(list(), '203.0.113.1');
  // The excess depends on how soon reports arrive; the property tests of the buckets limit it to a tenth. Each process
  // alone would serve the whole limit.
  assert.ok(served >= quota && served < 2 * quota, `${served} served, of ${quota}`);
  await until('all of them know it', async () => {
    const answers = await Promise.all(list().map((base) => ask(base, '203.0.113.1')));
    return answers.every(({ left }) => left <= OVERDRAFT * quota);
  });
});

test("a proxy that sends all of a caller's requests to one process costs the caller nothing", async () => {
  await counted(3);
  const { rows: known } = await eye.query(`SELECT DISTINCT jsonb_object_keys(taken) AS key FROM process_report`);
  const told = async () => {
    const { rows } = await eye.query(
      `SELECT coalesce(sum(ms::float8), 0) AS ms FROM process_report, jsonb_each_text(taken) AS t (key, ms)
        WHERE key <> ALL ($1)`,
      [known.map(({ key }) => key)],
    );
    return Math.round((rows[0].ms * quota) / (POLICIES.address.windowSeconds * 1000));
  };
  const [one] = list();
  // No faster than reports arrive: two batches, the first of which may still be in transit, are less than one share.
  const parcel = (OVERDRAFT * quota) / 3 / 2;
  for (let n = 0; n < quota; n++) {
    if (n > 0 && n % parcel === 0) await until(`the others are told of ${n}`, async () => (await told()) >= n);
    assert.notEqual((await ask(one, '203.0.113.2')).status, 429, `request ${n}`);
  }
});

test('a new process knows how much was used, and the share of a killed process returns to the others', async () => {
  await counted(3);
  await exhaust(list(), '203.0.113.3');
  const fresh = await serve(here.url, SETTINGS);
  doomed.push(fresh);
  const { left } = await ask(fresh.url, '203.0.113.3');
  assert.ok(left <= OVERDRAFT * quota, `${left} left in a process that has just begun`);
  await counted(4);
  await fresh.end('SIGKILL');
  await counted(3);
  for (const gone of list().slice(1)) {
    const served = [...running].find(({ url }) => url === gone)!;
    running.delete(served);
    await served.end();
  }
  await counted(1);
  const [alone] = list();
  const answers = await times(quota, () => ask(alone, '203.0.113.4'));
  assert.equal(answers.filter(({ status }) => status === 429).length, 0);
});

// Guards against: Getting more requests or streams by spreading them over processes
test('the stream limit of a credential holds across all processes, even if it opens streams in all of them at the same moment', async () => {
  await times(2, start);
  await counted(3);
  const { perCaller } = STREAM_DEFAULTS;
  const headers = { authorization: `Bearer ${here.token}` };
  const open = (base: string) => openStream(`${base}/api/v2/feed_items/stream`, headers);
  const clients = await Promise.all(list().flatMap((base) => Array.from({ length: perCaller }, () => open(base))));
  const live = new Set(clients.filter(({ status }) => status === 200));
  for (const client of live) void client.ended.then(() => live.delete(client));
  assert.ok(live.size >= perCaller);
  await until('those that are too many have ended', async () => live.size <= perCaller);
  for (const client of clients.filter((c) => c.status === 200 && !live.has(c)))
    assert.match(client.events.at(-1)!.data, /has 10 streams open/);
  await until('all know of the others', async () => {
    const { rows } = await eye.query(
      `SELECT sum(n::int)::int AS open FROM process, jsonb_each_text(streams) AS s (key, n) WHERE NOT ended
        AND key LIKE 'caller:%'`,
    );
    return rows[0].open === live.size;
  });
  // More streams than necessary may have been closed, so there is room to open them again.
  while (live.size < perCaller) {
    const client = await open(list()[0]);
    if (client.status === 200) live.add(client);
    else client.leave();
  }
  await until('a further one is refused everywhere', async () => {
    const more = await Promise.all(list().map(open));
    for (const client of more) if (client.status === 200) client.leave();
    return more.every(({ status }) => status === 429);
  });
  for (const client of live) client.leave();
  await until('there is room again, in any of them', async () => {
    const client = await open(list().at(-1)!);
    client.leave();
    return client.status === 200;
  });
});
