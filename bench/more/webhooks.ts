/**
 * Delivery from a committed feed item to its receiver: deliveries per second to a sink on this machine, compared with a
 * sender without a database.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createDestination } from '../../server/areas/platform/webhooks/index.ts';
import { instant, sql } from '../../server/kernel/base/db/sql.ts';
import { Outbound } from '../../server/kernel/base/http-out/outbound.ts';
import { ownViewer } from '../../server/kernel/work/access/viewer.ts';
import { paired, type Report } from '../kit/report.ts';
import { readKey, SecretBox } from '../../server/kernel/base/secret-box.ts';
import { registry } from '../../server/app.ts';
import { SECRET_KEY } from '../../server/test/secret-key.ts';
import { serve, vacuum, type Installation } from '../kit/installation.ts';
import { until } from '../../server/test/storm.ts';
import { Work } from '../../server/kernel/work/unit/work.ts';
import type { Length } from '../kit/contest.ts';
import { DEFAULT_WORDS } from '../../server/kernel/base/values/words.ts';

const DESTINATIONS = 4;
const ITEMS_A_SECOND = 1000;
/** Concurrency per destination; see lane.ts. */
const AT_ONCE = 4;
const PATIENCE_MS = 120_000;

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const message = (child: ChildProcess, name: string): Promise<any> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`the sink did not get everything in ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    const hear = (said: any) => {
      if (said[name] === undefined) return;
      clearTimeout(late);
      child.off('message', hear);
      resolve(said[name]);
    };
    child.on('message', hear);
  });

/** Creates destinations with these addresses, for every new customer. */
async function enter({ db, provider }: Installation, urls: readonly string[]): Promise<void> {
  const outbound = new Outbound();
  await db.transaction(provider, async (tx) => {
    const installation = {
      baseUrl: 'http://localhost',
      box: new SecretBox([readKey(SECRET_KEY)!]),
      outbound,
      headerWords: [],
    };
    const work = new Work({
      tx,
      registry: registry(),
      tenant: { providerId: provider, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS },
      viewer: ownViewer(provider, 'bench'),
      now: Date.now(),
      requestId: 'bench',
      installation: installation as never,
    });
    await tx.run(
      sql`UPDATE webhook_destination SET deleted_at = now() WHERE provider_id = ${provider} AND deleted_at IS NULL`,
    );
    for (const url of urls) await createDestination(work, { url, feed_item_types: ['customer.created'] });
  });
  outbound.close();
}

/** Returns deliveries per second, from the commit of the feed items until the last has arrived. */
async function deliveries(
  { db, provider }: Installation,
  sink: ChildProcess,
  items: number,
  destinations: number,
): Promise<number> {
  const counting = message(sink, 'counting');
  sink.send(items * destinations);
  await counting;
  const done = message(sink, 'done');
  await db.transaction(provider, (tx) =>
    tx.run(sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
      SELECT ${provider}::bigint, 'customer.created', 'customer', n, jsonb_build_object('customer', n),
        ${instant(Date.now())}::timestamptz FROM generate_series(1, ${items}::int) n`),
  );
  const begin = Date.now();
  return (items * destinations * 1000) / ((await done) - begin);
}

function bare(url: string, n: number): Promise<number> {
  const child = fork(fileOf('bare-sender.ts'), [url, String(n), String(DESTINATIONS * AT_ONCE)]);
  return new Promise((resolve, reject) => {
    child.once('message', (perSecond) => resolve(perSecond as number));
    child.once('exit', (code) => reject(new Error(`the bare sender ended with ${code}`)));
  });
}

export async function webhookRows(
  report: Report,
  installation: Installation,
  { seconds, turns }: Length,
): Promise<void> {
  const sink = fork(fileOf('webhook-sink.ts'));
  const worker = await serve(installation.url, { ROLE: 'all', OUTBOUND_ALLOW: '127.0.0.1/32' });
  try {
    const url = `http://127.0.0.1:${await message(sink, 'port')}`;
    const items = ITEMS_A_SECOND * seconds;
    await enter(
      installation,
      Array.from({ length: DESTINATIONS }, (_, i) => `${url}/${i}`),
    );
    // Items from before a worker's first read of the webhooks are not delivered.
    await until(
      'the worker reads the feed',
      async () =>
        (
          await installation.db.acrossTenants('the benchmark looks for a reader', (tx) =>
            tx.rows(sql`SELECT FROM feed_reader WHERE name = 'webhooks'`),
          )
        ).length > 0,
    );
    const ours = () => deliveries(installation, sink, items, DESTINATIONS);
    await ours();
    await vacuum(installation.url);
    const { figure, against, ratio } = await paired(turns, ours, () => bare(url, items * DESTINATIONS));
    report.add({ name: `webhooks: feed items to ${DESTINATIONS} destinations`, figure, reach: 1000, unit: '/s' });
    report.add({ name: '  against the same requests without a database', figure, against, ratio, unit: '/s' });
    await enter(installation, [`${url}/alone`]);
    report.add({ name: '  to one destination', figure: await deliveries(installation, sink, items, 1), unit: '/s' });
  } finally {
    await worker.stop();
    sink.kill();
  }
}
