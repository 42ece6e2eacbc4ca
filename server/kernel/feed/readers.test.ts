import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../test/storm.ts';
import { logging, makeReadLog, startReaders, type TestWorker } from '../../test/feed-readers.ts';
import { PORTION } from './read-portion.ts';
import { sql } from '../db/sql.ts';
import { startWorld, type World } from '../../test/world.ts';
import type { FeedReader } from './reader.ts';

let world: World;
let owner: pg.Client;
const running: TestWorker[] = [];
before(async () => {
  world = await startWorld();
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
  const worker = await startReaders(world.databaseUrl, readers, () => world.now);
  running.push(worker);
  return worker;
};

/** Items as a change leaves them, all in one transaction. */
const happen = (n: number, provider = world.harbour, kind = 'venue.updated') =>
  world.app.db.transaction(provider, (tx) =>
    tx.run(sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
               SELECT ${provider}::bigint, ${kind}::text, 'venue', n, jsonb_build_object('venue', n), now() FROM generate_series(1, ${n}::int) n`),
  );
const lastSeq = async (provider: number): Promise<number> => (await owner.query('SELECT last_seq::int AS n FROM feed_position WHERE provider_id = $1', [provider])).rows[0]?.n ?? 0;
const total = async (provider: number): Promise<number> => (await owner.query('SELECT count(*)::int AS n FROM feed_item WHERE provider_id = $1', [provider])).rows[0].n;
const logOf = async (reader: string, provider = world.harbour): Promise<number[]> =>
  (await owner.query('SELECT seq::int AS seq FROM read_log WHERE reader = $1 AND provider_id = $2 ORDER BY nth', [reader, provider])).rows.map((r) => r.seq);
const positionOf = async (reader: string, provider = world.harbour) =>
  (await owner.query('SELECT last_seq::int AS last, fails_by::int AS fails_by, attempts, error, retry_at FROM feed_reader_position WHERE reader = $1 AND provider_id = $2', [reader, provider])).rows[0];
const reads = (reader: string, provider = world.harbour) =>
  until(`${reader} has read everything`, async () => {
    const last = await lastSeq(provider);
    return last === (await total(provider)) && last > 0 && (await positionOf(reader, provider))?.last === last;
  });
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('a new reader begins at the end of what exists, and at a business that is made later with its first item', async () => {
  await happen(30);
  await start(logging('newcomer'));
  await until('it has begun', async () => (await owner.query(`SELECT FROM feed_reader WHERE name = 'newcomer'`)).rowCount);
  const end = await total(world.harbour);
  await happen(3);
  await happen(4, world.meadow);
  await reads('newcomer');
  await reads('newcomer', world.meadow);
  assert.deepEqual(await logOf('newcomer'), from(end + 1, end + 3));
  assert.deepEqual(await logOf('newcomer', world.meadow), from(1, 4));
});

test('each item is read once, in order, many at a time; a reader of some kinds gets those alone', async () => {
  await start(logging('everything'), logging('rooms', ['venue_room.updated']));
  await until('they have begun', async () => (await owner.query(`SELECT FROM feed_reader WHERE name IN ('everything', 'rooms')`)).rowCount === 2);
  const end = await total(world.harbour);
  for (let i = 0; i < 20; i++) await happen(100, world.harbour, i % 5 === 0 ? 'venue_room.updated' : 'venue.updated');
  await reads('everything');
  await reads('rooms');
  assert.deepEqual(await logOf('everything'), from(end + 1, end + 2000));
  const { rows } = await owner.query(`SELECT seq::int AS seq FROM feed_item WHERE provider_id = $1 AND kind = 'venue_room.updated' ORDER BY seq`, [world.harbour]);
  assert.deepEqual(await logOf('rooms'), rows.map((r) => r.seq));
  assert.equal(rows.length, 400);
  const { rows: [most] } = await owner.query(`SELECT max(at_once)::int AS n FROM read_log WHERE reader = 'everything'`);
  assert.ok(most.n > 50 && most.n <= PORTION);
});
