import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { beginWith, partitionsOf } from '../../../kernel/base/db/schema/partitions.ts';
import { FolderStore } from '../../../kernel/base/files/folder-store.ts';
import { IDS_OF_A_MONTH, nameOfMonth } from '../../../kernel/base/db/schema/months.ts';
import { keepMonths } from '../../../kernel/work/retention/keep.ts';
import { openStream } from '../../../test/outside/event-stream.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';

// Nothing numbers or reads the feed here: the test sets the positions of readers.
let world: World;
let owner: pg.Client;
let now: number;
const root = mkdtempSync(join(tmpdir(), 'rollcall-feed-gone-'));
before(async () => {
  world = await startWorld({ own: true });
  owner = new pg.Client({ connectionString: world.databaseUrl });
  await owner.connect();
  now = (await owner.query('SELECT month_number(now()) AS n')).rows[0].n;
});
after(async () => {
  await owner?.end();
  await world?.close();
  rmSync(root, { recursive: true, force: true });
});

/** Inserts numbered items of a month, from one number to another. */
const items = (month: number, first: number, last: number) =>
  owner.query(
    `INSERT INTO feed_item (provider_id, id, seq, kind, object, object_id, payload, occurred_at)
     SELECT $1, $2::bigint + n, n, 'customer.updated', 'customer', n,
       jsonb_build_object('customer', n, 'changed', '[]'::jsonb), now() FROM generate_series($3::int, $4::int) n`,
    [world.harbour, month * IDS_OF_A_MONTH, first, last],
  );

const read = (upTo: number) =>
  owner.query('UPDATE feed_position SET read_seq = $2 WHERE provider_id = $1', [world.harbour, upTo]);

let stores = 0;
const told: string[] = [];
async function keep(): Promise<FolderStore> {
  const files = new FolderStore(join(root, String(++stores)));
  const log = { info: () => undefined, warn: (about: any) => void told.push(about.why) };
  await keepMonths({ url: world.databaseUrl, files, retention: { auditMonths: null, feedMonths: 3 }, log });
  return files;
}

const isThere = async (month: number) => (await partitionsOf(owner, 'feed_item')).attached.includes(month);

/** Six items five months ago, three of last month. */
beforeEach(async () => {
  told.length = 0;
  await owner.query('BEGIN; DELETE FROM feed_item; DELETE FROM feed_item_set_aside; DELETE FROM archived_month');
  await owner.query(
    `INSERT INTO feed_position (provider_id, last_seq) VALUES ($1, 9)
     ON CONFLICT (provider_id) DO UPDATE SET last_seq = 9, read_seq = 0, gone_seq = 0`,
    [world.harbour],
  );
  await beginWith(owner, 'feed_item', now - 5);
  await owner.query('COMMIT');
  await items(now - 5, 1, 6);
  await items(now - 1, 7, 9);
});

const list = async (query: string) => {
  const { status, body } = await world.get(`/feed_items?${query}`, { as: world.machine });
  return status === 200 ? body.results.map((item: any) => item.id) : [status, body.code, body.message];
};

test('a month of the feed is kept until every reader has read it, and while one of them has set an item aside', async () => {
  await read(5);
  await keep();
  assert.ok(await isThere(now - 5));
  assert.match(told.join(), /a reader of the feed has not read all items/);
  await read(9);
  await owner.query(
    `INSERT INTO feed_item_set_aside (provider_id, reader, seq, attempts, error, set_aside_at)
     VALUES ($1, 'notices', 3, 9, 'broken', now())`,
    [world.harbour],
  );
  await keep();
  assert.ok(await isThere(now - 5));
  assert.match(told.join(), /the reader notices has set aside an item/);
  assert.deepEqual(await list('after=1'), [2, 3, 4, 5, 6, 7, 8, 9], 'until then, nothing of it is gone');
  await owner.query('DELETE FROM feed_item_set_aside');
  const files = await keep();
  assert.ok(!(await isThere(now - 5)));
  const stored = await files.get(`archives/feed_item/${nameOfMonth(now - 5)}.gz`);
  const lines = gunzipSync(stored!).toString().trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).seq),
    [1, 2, 3, 4, 5, 6],
  );
});

test('items without a number are kept', async () => {
  await read(9);
  await owner.query('UPDATE feed_item SET seq = NULL WHERE provider_id = $1 AND seq = 6', [world.harbour]);
  await keep();
  assert.ok(await isThere(now - 5));
});

test('a client that continues where items are gone is refused, and a new one gets the items that are kept', async () => {
  await read(9);
  await keep();
  const [status, code, message] = await list('after=2');
  assert.deepEqual([status, code], [410, 'feed_items_gone']);
  assert.equal(
    message,
    'Feed items up to number 6 are no longer kept. Copy your data anew, and continue with after=6.',
  );
  for (const query of ['', 'after=0', 'after=6']) assert.deepEqual(await list(query), [7, 8, 9], query);
  assert.deepEqual(await list('sort=-id&limit=2'), [9, 8]);
  assert.equal((await world.get('/feed_items/3', { as: world.machine })).status, 404);
  assert.equal((await world.get('/feed_items/7', { as: world.machine })).status, 200);
  const [other] = (
    await owner.query('SELECT gone_seq::int AS gone FROM feed_position WHERE provider_id = $1', [world.meadow])
  ).rows;
  assert.equal(other?.gone ?? 0, 0);
});

test('a stream refuses in the same way, and a webhook replay requires a later number', async () => {
  await read(9);
  await keep();
  const client = await openStream(`${world.url}/api/v2/feed_items/stream?after=2`, {
    authorization: `Bearer ${world.machine}`,
  });
  await client.ended;
  assert.deepEqual(
    client.events.map(({ event, data }) => [event, JSON.parse(data).code]),
    [['problem', 'feed_items_gone']],
  );
  const destination = await seed(world, 'webhook_destination');
  const replay = await world.post(`/webhook_destinations/${destination}/replay`, {
    as: world.machine,
    body: { after: 2 },
  });
  assert.equal(replay.status, 400);
  assert.match(JSON.stringify(replay.body.field_errors.after), /up to number 6 are no longer kept: send 6 or more/);
});
