import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OneAtATime, type Whose } from './one-at-a-time.ts';

const here = (business: number): Whose => ({ business, gone: new AbortController().signal });
const MB = 1_000_000;

/** Returns work that ends when the test says so, and the order in which it began. */
function desk(bounds: { ofOne: number; bytes: number }) {
  const turns = new OneAtATime({ ...bounds, what: 'things' });
  const order: string[] = [];
  let end: (() => void) | null = null;
  const bring = (name: string, whose: Whose, bytes = 1): Promise<string> =>
    turns.run(whose, bytes, async () => {
      order.push(name);
      await new Promise<void>((resolve) => (end = resolve));
      return name;
    });
  const next = async (): Promise<void> => {
    end?.();
    // The next one begins in the tasks that follow.
    await new Promise(setImmediate);
  };
  return { turns, order, bring, next };
}

test('businesses take turns: one with many tasks delays only itself', async () => {
  const { order, bring, next } = desk({ ofOne: 5, bytes: 100 });
  const all = [
    bring('a1', here(1)),
    bring('a2', here(1)),
    bring('a3', here(1)),
    bring('b1', here(2)),
    bring('c1', here(3)),
  ];
  for (let i = 0; i < 5; i++) await next();
  await Promise.all(all);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3']);
});

test('a business with too many waiting tasks must retry later, and others are not affected', async () => {
  const { order, bring, next, turns } = desk({ ofOne: 2, bytes: 100 });
  const all = [bring('a1', here(1)), bring('a2', here(1)), bring('a3', here(1))];
  await assert.rejects(bring('a4', here(1)), /Too many things at the same time\. Try again/);
  all.push(bring('b1', here(2)));
  assert.equal(turns.waiting, 3);
  for (let i = 0; i < 4; i++) await next();
  await Promise.all(all);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3']);
});

test('if memory is used up, the business with the most waiting makes room for others', async () => {
  const { order, bring, next } = desk({ ofOne: 9, bytes: 10 * MB });
  const running = bring('a1', here(1));
  const kept = bring('a2', here(1), 4 * MB);
  const left = bring('a3', here(1), 4 * MB);
  const [gone, other] = [assert.rejects(left, /Too many/), bring('b1', here(2), 4 * MB)];
  await gone;
  // A business makes no room for itself, and nobody is left to make some for a third.
  await assert.rejects(bring('a4', here(1), 4 * MB), /Too many/);
  await assert.rejects(bring('c1', here(3), 4 * MB), /Too many/);
  for (let i = 0; i < 3; i++) await next();
  await Promise.all([running, kept, other]);
  assert.deepEqual(order, ['a1', 'a2', 'b1']);
});

test('a client that disconnects gives up its place, and a failure lets the next task begin', async () => {
  const { order, bring, next, turns } = desk({ ofOne: 9, bytes: 100 });
  const client = new AbortController();
  const running = bring('a1', here(1));
  const gone = bring('a2', { business: 1, gone: client.signal });
  const last = bring('b1', here(2));
  client.abort(new Error('the client has gone'));
  await assert.rejects(gone, /the client has gone/);
  assert.equal(turns.waiting, 1);
  await assert.rejects(bring('c1', { business: 3, gone: client.signal }), /the client has gone/);
  await next();
  await next();
  await Promise.all([running, last]);
  assert.deepEqual(order, ['a1', 'b1']);
  await assert.rejects(
    turns.run(here(1), 1, async () => {
      throw new Error('it failed');
    }),
    /it failed/,
  );
  assert.equal(await turns.run(here(1), 1, async () => 'next'), 'next');
});
