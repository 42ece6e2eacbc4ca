import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchByKey } from './batch-by-key.ts';

/** Returns a run that waits until it is released, and shows its batches. */
function held() {
  const batches: { key: string; items: number[] }[] = [];
  let letGo!: () => void;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const together = new BatchByKey<number, number>(async (key, items) => {
    batches.push({ key, items });
    await gate;
    return items.map((i) => i * 10);
  }, 3);
  return { together, batches, letGo };
}

test('calls of one key that arrive while one runs become the next batches, in order of arrival, none above the limit', async () => {
  const { together, batches, letGo } = held();
  const calls = Array.from({ length: 8 }, (_, i) => together.call('a', i));
  letGo();
  assert.deepEqual(await Promise.all(calls), [0, 10, 20, 30, 40, 50, 60, 70]);
  assert.deepEqual(
    batches.map((b) => b.items),
    [[0], [1, 2, 3], [4, 5, 6], [7]],
  );
});

test('calls of different keys do not wait for each other', async () => {
  const { together, batches, letGo } = held();
  const calls = ['a', 'b', 'c'].map((key, i) => together.call(key, i));
  assert.deepEqual(
    batches.map((b) => b.key),
    ['a', 'b', 'c'],
  );
  letGo();
  await Promise.all(calls);
});

test('a refusal affects only its own call; a failure affects only its own batch, and the next batch runs', async () => {
  let run = 0;
  const together = new BatchByKey<string, string>(async (_key, items) => {
    run++;
    if (items.includes('break')) throw new Error('the batch broke');
    return items.map((i) => (i === 'refuse' ? new Error('refused') : i));
  }, 2);
  const calls = ['first', 'refuse', 'fine', 'break', 'beside', 'after'].map((item) => together.call('k', item));
  const settled = await Promise.allSettled(calls);
  const said = settled.map((s) => (s.status === 'fulfilled' ? s.value : s.reason.message));
  assert.deepEqual(said, ['first', 'refused', 'fine', 'the batch broke', 'the batch broke', 'after']);
  assert.equal(run, 4);
});

test('a run that throws synchronously rejects its call instead of losing it', async () => {
  const together = new BatchByKey<number, number>(() => {
    throw new Error('at once');
  });
  await assert.rejects(together.call('k', 1), /at once/);
  await assert.rejects(together.call('k', 2), /at once/);
});

test('a run that omits a result fails that call instead of returning nothing', async () => {
  const together = new BatchByKey<number, number>(async (_key, items) => items.slice(1));
  await assert.rejects(together.call('k', 1), /no answer/);
});

test('finished keys are removed', async () => {
  const together = new BatchByKey<number, number>(async (_key, items) => items);
  await Promise.all(Array.from({ length: 5000 }, (_, i) => together.call(`event ${i}`, i)));
  assert.equal(together.busy, 0);
});
