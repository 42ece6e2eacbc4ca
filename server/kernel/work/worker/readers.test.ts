import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type pg from 'pg';
import { everything } from '../../../test/rare.ts';
import { startProgram } from '../../../test/processes/programs.ts';
import { beside, times, until } from '../../../test/storm.ts';
import { failing, logging, makeReadLog, startReaders, type TestWorker } from '../../../test/worlds/feed-readers.ts';
import { MAX_ATTEMPTS, PORTION } from './read-portion.ts';
import { once } from 'node:events';
import { listSetAside, wantAgain } from './dead-letter.ts';
import { statement, sql } from '../../base/db/sql.ts';
import { unreadBy } from './dispatch.ts';
import type { Command } from '../../base/db/sharing/batch.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { FeedReader } from '../unit/feed-reader.ts';

let world: World;
let owner: pg.Client;
const running: TestWorker[] = [];
before(async () => {
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
  await makeReadLog(owner);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
});
after(async () => {
  await owner.end();
  await world.close();
});

const start = async (...readers: FeedReader[]): Promise<TestWorker> => {
  const worker = await startReaders(world.databaseUrl, readers, { now: () => world.now });
  running.push(worker);
  return worker;
};

/** Records items as a change does, all in one transaction. */
const happen = (n: number, provider = world.harbour, kind = 'venue.updated') =>
  world.app.db.transaction(provider, (tx) =>
    tx.run(sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
               SELECT ${provider}::bigint, ${kind}::text, 'venue', n, jsonb_build_object('venue', n), now()
               FROM generate_series(1, ${n}::int) n`),
  );
const lastSeq = async (provider: number): Promise<number> =>
  (await owner.query('SELECT last_seq::int AS n FROM feed_position WHERE provider_id = $1', [provider])).rows[0]?.n ??
  0;
const total = async (provider: number): Promise<number> =>
  (await owner.query('SELECT count(*)::int AS n FROM feed_item WHERE provider_id = $1', [provider])).rows[0].n;
const logOf = async (reader: string, provider = world.harbour): Promise<number[]> =>
  (
    await owner.query('SELECT seq::int AS seq FROM read_log WHERE reader = $1 AND provider_id = $2 ORDER BY nth', [
      reader,
      provider,
    ])
  ).rows.map((r) => r.seq);
const positionOf = async (reader: string, provider = world.harbour) =>
  (
    await owner.query(
      `SELECT last_seq::int AS last, fails_by::int AS fails_by, attempts, error, retry_at FROM feed_reader_position
        WHERE reader = $1 AND provider_id = $2`,
      [reader, provider],
    )
  ).rows[0];
const reads = (reader: string, provider = world.harbour) =>
  until(`${reader} has read everything`, async () => {
    const last = await lastSeq(provider);
    return last === (await total(provider)) && last > 0 && (await positionOf(reader, provider))?.last === last;
  });
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const begun = (...names: string[]) =>
  until(
    `${names} have begun`,
    async () => (await owner.query('SELECT FROM feed_reader WHERE name = ANY($1)', [names])).rowCount === names.length,
  );
const setAside = async (reader: string) =>
  (
    await owner.query(
      'SELECT seq::int AS seq, attempts, error FROM feed_item_set_aside WHERE reader = $1 ORDER BY seq',
      [reader],
    )
  ).rows;

test('a new reader begins at the end of the existing items, and with the first item of a business that is created later', async () => {
  await happen(30);
  await start(logging('newcomer'));
  await begun('newcomer');
  const end = await total(world.harbour);
  await happen(3);
  await happen(4, world.meadow);
  await reads('newcomer');
  await reads('newcomer', world.meadow);
  assert.deepEqual(await logOf('newcomer'), from(end + 1, end + 3));
  assert.deepEqual(await logOf('newcomer', world.meadow), from(1, 4));
});

test('each item is read once, in order, many at a time; a reader of some kinds gets only those', async () => {
  await start(logging('everything'), logging('rooms', ['venue_room.updated']));
  await begun('everything', 'rooms');
  const end = await total(world.harbour);
  for (let i = 0; i < 20; i++) await happen(100, world.harbour, i % 5 === 0 ? 'venue_room.updated' : 'venue.updated');
  await reads('everything');
  await reads('rooms');
  assert.deepEqual(await logOf('everything'), from(end + 1, end + 2000));
  const { rows } = await owner.query(
    `SELECT seq::int AS seq FROM feed_item WHERE provider_id = $1 AND kind = 'venue_room.updated' ORDER BY seq`,
    [world.harbour],
  );
  assert.deepEqual(
    await logOf('rooms'),
    rows.map((r) => r.seq),
  );
  assert.equal(rows.length, 400);
  const {
    rows: [most],
  } = await owner.query(`SELECT max(at_once)::int AS n FROM read_log WHERE reader = 'everything'`);
  assert.ok(most.n > 50 && most.n <= PORTION);
});

// Guards against: A change that makes a reader of the feed fail, to block everything after it
test('one item that fails is found among hundreds, retried with growing pauses, and set aside; nobody else waits', async () => {
  const poison = 137;
  const worker = await start(
    failing('picky', (item) => item.objectId === poison),
    logging('calm'),
  );
  await begun('picky', 'calm');
  const end = await total(world.harbour);
  // It is retried when the test says so, however slow the machine is.
  world.stopNow();
  await happen(300);
  await happen(50, world.meadow);
  await reads('calm');
  await reads('picky', world.meadow);
  const bad = end + poison;
  const pauses: number[] = [];
  for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts++) {
    const stuck = await until(`it has failed ${attempts} times`, async () => {
      const position = await positionOf('picky');
      return position?.attempts === attempts && position;
    });
    assert.deepEqual([stuck.last, stuck.fails_by, stuck.error], [bad - 1, bad, `cannot read ${poison}`]);
    assert.deepEqual(await logOf('picky'), from(end + 1, bad - 1));
    pauses.push(stuck.retry_at.getTime() - world.now);
    world.stopNow(stuck.retry_at.getTime());
  }
  assert.deepEqual(
    pauses,
    pauses.map((_, i) => 1000 * 2 ** i),
  );
  await reads('picky');
  world.setNow(world.now);
  assert.deepEqual(await logOf('picky'), [...from(end + 1, bad - 1), ...from(bad + 1, end + 300)]);
  assert.deepEqual(await setAside('picky'), [{ seq: bad, attempts: MAX_ATTEMPTS, error: `cannot read ${poison}` }]);
  assert.equal(
    worker.told.filter((line) => line.includes('goes on without') && line.includes(`"seq":${bad}`)).length,
    1,
  );
  const metrics = await worker.metrics.text();
  assert.match(metrics, /rollcall_feed_reads_total\{reader="picky",outcome="set_aside"\} 1/);
  assert.match(metrics, /rollcall_feed_reads_total\{reader="picky",outcome="failed"\} (1[0-9]|2[0-9])\n/);
});

test('an item that was set aside is read on request, and stays set aside if it fails again', async () => {
  const mended = { yet: false };
  const reader = failing('mended', (item) => item.objectId === 2 && !mended.yet);
  await owner.query(`INSERT INTO feed_reader (name) VALUES ('mended') ON CONFLICT DO NOTHING`);
  const end = await total(world.harbour);
  await happen(2);
  await start();
  await until('they have numbers', async () => (await lastSeq(world.harbour)) === end + 2);
  // A process without the reader would try to read it, and fail.
  await running.pop()!.stop();
  await owner.query(`INSERT INTO feed_reader_position (provider_id, reader, last_seq) VALUES ($1, 'mended', $2)`, [
    world.harbour,
    end + 2,
  ]);
  await owner.query(
    `INSERT INTO feed_item_set_aside (provider_id, reader, seq, attempts, error, set_aside_at, again)
      SELECT $1, 'mended', n, 9, 'broken', now(), true FROM unnest($2::int[]) n`,
    [world.harbour, [end + 1, end + 2]],
  );
  await start(reader);
  await until('one has passed', async () => (await setAside('mended')).length === 1);
  await until('the other has failed', async () => (await setAside('mended'))[0].attempts === 10);
  assert.deepEqual(await setAside('mended'), [{ seq: end + 2, attempts: 10, error: 'cannot read 2' }]);
  await running.pop()!.stop();
  mended.yet = true;
  assert.deepEqual(
    (await listSetAside(world.app.db)).filter((s) => s.reader === 'mended').map((s) => [s.seq, s.kind, s.error]),
    [[end + 2, 'venue.updated', 'cannot read 2']],
  );
  assert.deepEqual(
    [
      await wantAgain(world.app.db, { reader: 'mended', provider: world.meadow }),
      await wantAgain(world.app.db, { reader: 'mended', provider: world.harbour }),
    ],
    [0, 1],
  );
  await start(reader);
  await until('both have passed', async () => (await setAside('mended')).length === 0);
  assert.deepEqual(await logOf('mended'), [end + 1, end + 2]);
});

// Guards against: A change that makes a reader of the feed fail, to block everything after it
test('a reader that hangs delays no other reader, and no other business', async () => {
  await owner.query('SELECT pg_advisory_lock(4711)');
  const hanging: FeedReader = {
    name: 'hanging',
    kinds: null,
    async read(work, items) {
      if (work.providerId === world.harbour) await work.tx.run(sql`SELECT pg_advisory_xact_lock(4711)`);
      await logging('hanging').read(work, items);
    },
  };
  await start(hanging, logging('brisk'));
  await begun('hanging', 'brisk');
  const end = await total(world.harbour);
  await happen(1);
  await until(
    'it hangs',
    async () =>
      (await owner.query(`SELECT FROM pg_stat_activity WHERE query LIKE '%4711%' AND wait_event_type = 'Lock'`))
        .rowCount,
  );
  await happen(5);
  await reads('brisk');
  assert.deepEqual(await logOf('hanging'), []);
  await owner.query('SELECT pg_advisory_unlock(4711)');
  await reads('hanging');
  assert.deepEqual(await logOf('hanging'), from(end + 1, end + 6));
});

test('with several workers and many writers, every item is read once and in order', async () => {
  for (let i = 0; i < 3; i++) await start(logging('shared'));
  await begun('shared');
  const [harbour, meadow] = [await total(world.harbour), await total(world.meadow)];
  await times(8, async (n) => {
    for (let i = 0; i < 25; i++) await happen(1 + ((n + i) % 7), n % 4 === 0 ? world.meadow : world.harbour);
  });
  await reads('shared');
  await reads('shared', world.meadow);
  assert.deepEqual(await logOf('shared'), from(harbour + 1, await total(world.harbour)));
  assert.deepEqual(await logOf('shared', world.meadow), from(meadow + 1, await total(world.meadow)));
});

const readByKilled = async (): Promise<number> =>
  (await owner.query(`SELECT count(*)::int AS n FROM read_log WHERE reader = 'killed'`)).rows[0].n;

test('workers that are killed at any moment skip no item and read none twice', async () => {
  const fresh = async () => {
    const child = await startProgram('feed-worker', [], {
      env: { ...process.env, DATABASE_URL: world.databaseUrl },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  };
  let worker = await fresh();
  await begun('killed');
  const end = await total(world.harbour);
  const clock = { over: false };
  const writing = (async () => {
    while (!clock.over) await happen(5);
  })();
  for (let kills = 0; kills < (everything ? 5 : 1); kills++) {
    const before = await readByKilled();
    await until('it reads', async () => (await readByKilled()) > before);
    const exited = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exited;
    worker = await fresh();
  }
  clock.over = true;
  await writing;
  await reads('killed');
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
  assert.deepEqual(await logOf('killed'), from(end + 1, await total(world.harbour)));
});

test('while nothing happens, a poll is one statement that reads an empty index, however many businesses there are', async () => {
  const seen: string[] = [];
  const worker = await startReaders(world.databaseUrl, [logging('idle')], {
    observe: (commands: readonly Command[]) => void seen.push(...commands.map((c) => c.statement.text)),
  });
  running.push(worker);
  await begun('idle');
  await owner.query(`INSERT INTO provider (name, timezone) SELECT 'B' || n, 'UTC' FROM generate_series(1, 5000) n`);
  await owner.query(
    `INSERT INTO feed_position (provider_id, last_seq, read_seq) SELECT provider_id, 10, 10 FROM provider
      ON CONFLICT (provider_id) DO UPDATE SET read_seq = feed_position.last_seq`,
  );
  await owner.query('VACUUM ANALYZE feed_position');
  const { text } = statement(unreadBy(['idle', 'other', 'third'], world.now, false));
  const { rows } = await owner.query(`EXPLAIN ${text.replace('$1', 'now()').replace('$2', `'{idle,other,third}'`)}`);
  const plan = rows.map((r) => r['QUERY PLAN']).join('\n');
  assert.match(plan, /feed_position_unread/, plan);
  const looks = () => seen.filter((t) => t.includes('fails_by IS NULL')).length;
  const quiet = looks();
  await until('it looks again', async () => looks() > quiet + 2);
  seen.length = 0;
  await until('it looks five times', async () => looks() >= 5);
  assert.deepEqual(
    seen.filter((t) => t.includes('UPDATE feed_position p')),
    [],
  );
  assert.equal(seen.filter((t) => t.includes('feed_reader')).length, looks());
});
