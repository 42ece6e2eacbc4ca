/** Limits of callers, and of open streams, where several services share one database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { OVERDRAFT } from '../kernel/api/shared-buckets.ts';
import { POLICIES } from '../kernel/api/limits.ts';
import { STREAM_DEFAULTS } from '../kernel/api/streams.ts';
import { beside, times, until } from './storm.ts';
import { install, serve, type Installed, type Served } from './durable.ts';
import { serveHere } from './serve-here.ts';
import { openStream } from './event-stream.ts';
import { clockFile, TestClock } from './clock.ts';

const { quota } = POLICIES.address;

let here: Installed;
let eye: pg.Client;
const running = new Set<{ readonly url: string; end(): Promise<unknown> }>();
/** Processes that are killed. */
const doomed: Served[] = [];
before(async () => {
  here = await install();
  // It stands still, so nothing is refilled.
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

/** One that shares nothing with the others but the database, in this process. */
async function start(): Promise<void> {
  const { url, close } = await serveHere(here.url, SETTINGS);
  running.add({ url, end: close });
}

/** Until every server that runs counts so many. */
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

/** A request of somebody without a credential, from an address of theirs. */
async function ask(base: string, address: string): Promise<Answer> {
  const response = await fetch(`${base}/api/v2/providers/${here.harbour}`, { headers: { 'x-forwarded-for': address } });
  await response.arrayBuffer();
  return { status: response.status, left: Number(/;r=(\d+)/.exec(response.headers.get('ratelimit')!)![1]) };
}

/** Asks as fast as it can until the limit is used up and every process has refused; returns how often it was served. */
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
test('a caller has its limit once, over all processes together, and each says truly what is left', async () => {
  await counted(3);
  const served = await exhaust(list(), '203.0.113.1');
  // How little is taken too much depends on how soon reports arrive; the properties of the buckets hold it to a tenth.
  // Each process alone would serve the whole limit.
  assert.ok(served >= quota && served < 2 * quota, `${served} served, of ${quota}`);
  await until('all of them know it', async () => {
    const answers = await Promise.all(list().map((base) => ask(base, '203.0.113.1')));
    return answers.every(({ left }) => left <= OVERDRAFT * quota);
  });
});

test('a proxy that sends everything of a caller to one process costs the caller nothing', async () => {
  await counted(3);
  const { rows: known } = await eye.query(`SELECT DISTINCT jsonb_object_keys(taken) AS key FROM process_report`);
  const told = async () => {
    const { rows } = await eye.query(
      `SELECT coalesce(sum(ms::float8), 0) AS ms FROM process_report, jsonb_each_text(taken) AS t (key, ms) WHERE key <> ALL ($1)`,
      [known.map(({ key }) => key)],
    );
    return Math.round((rows[0].ms * quota) / (POLICIES.address.windowSeconds * 1000));
  };
  const [one] = list();
  // No faster than the database answers: two parcels, of which the first may still be on its way, are less than a share.
  const parcel = (OVERDRAFT * quota) / 3 / 2;
  for (let n = 0; n < quota; n++) {
    if (n > 0 && n % parcel === 0) await until(`the others are told of ${n}`, async () => (await told()) >= n);
    assert.notEqual((await ask(one, '203.0.113.2')).status, 429, `request ${n}`);
  }
});

test('a process that begins knows what was taken, and one that was killed leaves its part to the others', async () => {
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
test('a credential has its open streams once, also where it opens them in all processes at the same moment', async () => {
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
      `SELECT sum(n::int)::int AS open FROM process, jsonb_each_text(streams) AS s (key, n) WHERE NOT ended AND key LIKE 'caller:%'`,
    );
    return rows[0].open === live.size;
  });
  // In doubt more than needed have ended: there is room for as many again.
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
