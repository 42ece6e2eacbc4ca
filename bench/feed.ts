/**
 * The cost of the feed in addition to the changes that it records: numbering, reading, polling while nothing happens,
 * and bookings with a worker running alongside.
 */
import { findTenant } from '../server/areas/platform/providers/index.ts';
import { AREAS, installationOf } from '../server/app.ts';
import { bookFor } from './bookings.ts';
import { install, serve, vacuum, type Cluster, type Installation } from './kit/installation.ts';
import { lastBooking } from './kit/audit.ts';
import { logging, makeReadLog } from '../server/test/worlds/feed-readers.ts';
import { Metrics } from '../server/kernel/base/metrics.ts';
import { NUMBERED_AT_ONCE, numberFeedItems } from '../server/kernel/work/feed/number.ts';
import { pair } from './kit/pairs.ts';
import { paired, type Report } from './kit/report.ts';
import pg from 'pg';
import { PORTION, readPortion, type DispatchOptions } from '../server/kernel/work/worker/read-portion.ts';
import { readConfig } from '../server/config.ts';
import { Registry } from '../server/kernel/api/registry.ts';
import { SECRET_KEY } from '../server/test/secret-key.ts';
import { sql } from '../server/kernel/base/db/sql.ts';
import { Tenants } from '../server/kernel/work/unit/tenants.ts';
import { until } from '../server/test/storm.ts';
import { unreadBy } from '../server/kernel/work/worker/dispatch.ts';

export interface FeedPlan {
  /** items per turn */
  readonly items: number;
  readonly turns: number;
  /** bookings per turn */
  readonly bookings: number;
  readonly businesses: number;
}

const perSecond = async (n: number, act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await act();
  return (n * 1000) / (performance.now() - began);
};

export async function feedRows(report: Report, cluster: Cluster, plan: FeedPlan): Promise<void> {
  const installation = await install(cluster, 'feed', { customers: 5000, events: 1000, attendances: 0 });
  const owner = new pg.Client({ connectionString: installation.url });
  await owner.connect();
  try {
    await makeReadLog(owner);
    await numberingRow(report, installation, plan);
    await readingRow(report, installation, plan);
    await bookingRow(report, installation, plan);
    await lookingRow(report, installation, owner, plan);
  } finally {
    await owner.end();
    await installation.remove();
  }
}

/** Inserts items as changes do, five hundred per statement. */
async function happen({ db, provider }: Installation, n: number): Promise<void> {
  for (let at = 0; at < n; at += PORTION) {
    await db.transaction(provider, (tx) =>
      tx.run(sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
        SELECT ${provider}::bigint, 'venue.updated', 'venue', n, jsonb_build_object('venue', n), now()
        FROM generate_series(1, ${PORTION}::int) n`),
    );
  }
}

async function numberAll({ db }: Installation): Promise<void> {
  while ((await numberFeedItems(db)) === NUMBERED_AT_ONCE);
}

/** Waits until everything has been read, and everything enqueued by it has been sent. */
async function caughtUp({ db, provider }: Installation): Promise<void> {
  const isDone = sql`SELECT NOT EXISTS (SELECT FROM feed_item WHERE provider_id = ${provider} AND seq IS NULL)
    AND NOT EXISTS (SELECT FROM feed_position WHERE provider_id = ${provider} AND read_seq < last_seq)
    AND NOT EXISTS (SELECT FROM message WHERE provider_id = ${provider} AND status IN ('queued', 'sending')
      AND send_at <= now()) AS done`;
  await until(
    'the worker catches up',
    () => db.transaction(provider, async (tx) => (await tx.one<{ done: boolean }>(isDone))!.done),
    120_000,
  );
}

/** Compares numbering with a bulk insert of the same items, which is the minimum cost. */
async function numberingRow(report: Report, installation: Installation, { items, turns }: FeedPlan): Promise<void> {
  await happen(installation, items);
  const ratio = await paired(
    turns,
    () => perSecond(items, () => numberAll(installation)),
    () => perSecond(items, () => happen(installation, items)),
  );
  await numberAll(installation);
  report.add({ name: 'feed: items numbered, against written in bulk', ...ratio, reach: 0.25, unit: '/s' });
}

/** Compares reading with a single statement per batch that writes the same rows, without a position. */
async function readingRow(report: Report, installation: Installation, { items, turns }: FeedPlan): Promise<void> {
  const { db, provider } = installation;
  const reader = logging('bench');
  const config = readConfig({ LOG_LEVEL: 'silent', SECRET_KEY });
  const log = { info() {}, warn() {}, error() {} };
  const own = installationOf(config, log, () => 'http://localhost');
  const o: DispatchOptions = {
    db,
    registry: new Registry([...AREAS, { name: 'bench', description: 'Reads.', readers: [reader] }]),
    tenants: new Tenants(db, findTenant),
    installation: own,
    metrics: new Metrics(db),
    log,
    now: Date.now,
  };
  const readAll = async () => {
    while ((await readPortion(o, reader, provider)) === 'more');
  };
  await readAll();
  const ratio = await paired(
    turns,
    async () => {
      await happen(installation, items);
      await numberAll(installation);
      return perSecond(items, readAll);
    },
    () =>
      perSecond(items, async () => {
        for (let at = 0; at < items; at += PORTION) {
          await db.transaction(provider, (tx) =>
            tx.run(sql`INSERT INTO read_log (provider_id, reader, seq, kind, at_once)
              SELECT provider_id, 'bare', seq, kind, 1 FROM feed_item
              WHERE provider_id = ${provider} AND seq > ${at} AND seq <= ${at + PORTION} ORDER BY seq`),
          );
        }
      }),
  );
  await own.mailer.close();
  report.add({ name: 'feed: items read, a row for each, against INSERT … SELECT', ...ratio, reach: 0.2, unit: '/s' });
}

/** Compares the same bookings with and without a worker alongside the server. */
async function bookingRow(report: Report, installation: Installation, { bookings, turns }: FeedPlan): Promise<void> {
  const { db, provider, url } = installation;
  const server = await serve(url);
  const turn = async () => {
    const before = await lastBooking(installation);
    const { perSecond: rate } = await bookFor(installation, server, { seconds: 60, requests: bookings }, (i) =>
      pair(installation, i),
    );
    await db.transaction(provider, (tx) =>
      tx.run(sql`DELETE FROM attendance WHERE provider_id = ${provider} AND id > ${before}`),
    );
    await vacuum(url);
    return rate;
  };
  try {
    await turn();
    const ratio = await paired(
      turns,
      async () => {
        const worker = await serve(url, { ROLE: 'worker' });
        try {
          // The backlog of the turn without a worker must not count in this one; meanwhile its code gets compiled.
          await caughtUp(installation);
          return await turn();
        } finally {
          await worker.stop();
        }
      },
      async () => {
        await numberAll(installation);
        return turn();
      },
    );
    report.add({
      name: 'register with a worker that numbers and reads, against none',
      ...ratio,
      reach: 0.7,
      unit: '/s',
    });
  } finally {
    await server.stop();
  }
}

/** Compares a poll while nothing happens with an empty transaction. */
async function lookingRow(
  report: Report,
  { db }: Installation,
  owner: pg.Client,
  { businesses, turns }: FeedPlan,
): Promise<void> {
  await owner.query(`INSERT INTO provider (name, timezone) SELECT 'B' || n, 'UTC' FROM generate_series(1, $1::int) n`, [
    businesses,
  ]);
  await owner.query(
    `INSERT INTO feed_position (provider_id, last_seq, read_seq) SELECT provider_id, 10, 10 FROM provider
      ON CONFLICT (provider_id) DO UPDATE SET read_seq = feed_position.last_seq`,
  );
  await owner.query('VACUUM ANALYZE feed_position');
  const looks = 500;
  const each = async (act: () => Promise<unknown>) => {
    const began = performance.now();
    for (let i = 0; i < looks; i++) await act();
    return ((performance.now() - began) * 1000) / looks;
  };
  const names = ['workflows', 'notices', 'webhooks'];
  const ratio = await paired(
    turns,
    () => each(() => db.acrossTenants('the benchmark looks', (tx) => tx.rows(unreadBy(names, Date.now(), false)))),
    () => each(() => db.acrossTenants('the benchmark asks nothing', (tx) => tx.rows(sql`SELECT 1 AS one`))),
  );
  report.add({
    name: `feed: a look over ${businesses.toLocaleString('en')} quiet businesses, against SELECT 1`,
    ...ratio,
    reach: 3,
    better: 'lower',
    unit: 'µs',
  });
}
