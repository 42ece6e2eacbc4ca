/** The order in which messages are claimed, and what happens to those of a worker that is gone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { claim, markHandingOver, nameAttempt, release, settle, type Claimed } from './store.ts';
import { queueMessages } from '../index.ts';
import { backOff, MAX_ATTEMPTS } from '../rules/retry.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  // Messages are claimed from all businesses of the installation.
  world = await startWorld({ own: true });
});
after(() => world.close());

const across = <T>(act: (tx: any) => Promise<T>) => world.app.db.acrossTenants('a test does what the engine does', act);
let keys = 0;

async function queued(provider: number, n: number, purpose: 'transactional' | 'marketing'): Promise<number[]> {
  const customer = await world.newCustomer({ is_opted_into_broadcast_messages: true }, provider);
  const made = await world.work(provider, (work) =>
    queueMessages(
      work,
      Array.from({ length: n }, () => ({
        channel: 'email' as const,
        purpose,
        kind: 'broadcast_message',
        to: { customer },
        subject: 'Letter',
        text: 'Words.',
        key: `claim:${++keys}`,
      })),
    ),
  );
  return made.map((m) => m.id!);
}

const take = (engine: number, after = 0) =>
  across((tx) =>
    claim(tx, { installation: { cells: null }, engine, channel: 'email', share: 25, most: 100, after, now: world.now }),
  );
const ids = (rows: readonly { id: number }[]) => rows.map((r) => r.id);

test('ten thousand emails of one business delay neither its own confirmations nor another business', async () => {
  const flood = await queued(world.harbour, 400, 'marketing');
  const [confirmation] = await queued(world.harbour, 1, 'transactional');
  const others = await queued(world.meadow, 5, 'marketing');
  const first = await take(1);
  assert.equal(first.length, 31);
  assert.equal(first[0].id, confirmation);
  assert.deepEqual(ids(first.filter((m) => m.provider_id === world.meadow)), others);
  assert.deepEqual(
    ids(first.filter((m) => flood.includes(m.id))),
    flood.slice(0, 25),
    'in the order in which they were queued',
  );
  const second = await take(2);
  assert.deepEqual(ids(second), flood.slice(25, 50), 'nobody takes what somebody has');
});

const rowOf = (m: Claimed) =>
  across((tx) =>
    tx.one(
      sql`SELECT status, confirmed, attempts, claimed_by FROM message
        WHERE provider_id = ${m.provider_id} AND id = ${m.id}`,
    ),
  );
const handing = (m: Claimed) => ({
  ...m,
  address: m.address!,
  tokenHash: `\\x${String(m.id).padStart(64, '0')}`,
  unsubscribeHash: null,
});

test('messages of a worker that is gone are sent again if they were not handed over, and count as sent if they were handed over to the last byte', async () => {
  await queued(world.meadow, 4, 'transactional');
  const [idle, begun, whole, settled] = await take(3, world.meadow - 1);
  assert.deepEqual(await across((tx) => markHandingOver(tx, 3, [begun, whole, settled].map(handing), world.now)), [
    true,
    true,
    true,
  ]);
  await across((tx) =>
    settle(
      tx,
      3,
      [{ ...settled, status: 'sent' as const }].map(({ provider_id, id, attempts, status }) => ({
        provider_id,
        id,
        attempts,
        status,
      })),
      world.now,
    ),
  );
  assert.deepEqual(await across((tx) => release(tx, 3, new Set([nameAttempt(whole)]), world.now)), {
    again: 2,
    sent: 1,
  });
  const states = await Promise.all([idle, begun, whole, settled].map(rowOf));
  assert.deepEqual(
    states.map((s: any) => [s.status, s.confirmed]),
    [
      ['queued', true],
      ['queued', true],
      ['sent', false],
      ['sent', true],
    ],
  );
  // If it is alive after all, it hands over nothing that was taken from it.
  const again = await take(4, world.meadow - 1);
  assert.deepEqual(
    ids(again)
      .slice(0, 2)
      .toSorted((a, b) => a - b),
    ids([idle, begun]).toSorted((a, b) => a - b),
  );
  assert.deepEqual(await across((tx) => markHandingOver(tx, 3, [handing(idle)], world.now)), [false]);
  // Without the notes of the dead worker, nobody gets a message twice.
  await across((tx) => markHandingOver(tx, 4, [handing(again[0])], world.now));
  const { sent } = await across((tx) => release(tx, 4, null, world.now));
  assert.equal(sent, 1);
});

test('the wait doubles up to two hours, and ends after about a day', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS }, (_, n) => backOff(n + 1));
  assert.equal(waits.at(-1), null);
  assert.deepEqual(waits.slice(0, 3), [15_000, 30_000, 60_000]);
  const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600_000;
  assert.ok(total > 16 && total < 30, `${total} hours`);
});
