import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { Slots } from './slots.ts';

const nobody = { pump: () => {} };

test('slow destinations use up their own slots and none of the others', () => {
  const slots = new Slots(3, 2);
  assert.deepEqual(
    [1, 2, 3].map(() => slots.take(nobody, true)),
    [true, true, false],
  );
  assert.deepEqual(
    [1, 2, 3, 4].map(() => slots.take(nobody, false)),
    [true, true, true, false],
  );
});

test('a request that turns out slow makes room at once for those that are quick, and none for another slow one', () => {
  const slots = new Slots(2, 1);
  for (let i = 0; i < 2; i++) slots.take(nobody, false);
  slots.move(2, true);
  assert.equal(slots.take(nobody, true), false);
  assert.deepEqual(
    [1, 2, 3].map(() => slots.take(nobody, false)),
    [true, true, false],
  );
  slots.give(true);
  assert.equal(slots.take(nobody, true), false, 'it was overdrawn by one');
  slots.give(true);
  assert.equal(slots.take(nobody, true), true);
});

test('those who wait are served in their order, one slot each', () => {
  const slots = new Slots(1, 1);
  slots.take(nobody, false);
  const served: string[] = [];
  const lane = (name: string) => {
    const one = { pump: () => void (slots.take(one, false) && served.push(name)) };
    return one;
  };
  for (const name of ['a', 'b', 'c']) slots.take(lane(name), false);
  for (let i = 0; i < 5; i++) slots.give(false);
  assert.deepEqual(served, ['a', 'b', 'c']);
});

test('whatever is taken, moved and given back, there are as many slots in the end as in the beginning', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('take', 'give', 'move'), fc.boolean())), (steps) => {
      const slots = new Slots(4, 3);
      const held = { quick: 0, slow: 0 };
      for (const [step, slow] of steps) {
        const [from, to] = slow ? (['quick', 'slow'] as const) : (['slow', 'quick'] as const);
        if (step === 'take' && slots.take(nobody, slow)) held[to]++;
        if (step === 'give' && held[to] > 0) {
          held[to]--;
          slots.give(slow);
        }
        if (step === 'move' && held[from] > 0) {
          held[from]--;
          held[to]++;
          slots.move(1, slow);
        }
      }
      for (let i = 0; i < held.quick; i++) slots.give(false);
      for (let i = 0; i < held.slow; i++) slots.give(true);
      for (const [slow, n] of [
        [false, 4],
        [true, 3],
      ] as const) {
        for (let i = 0; i < n; i++) assert.ok(slots.take(nobody, slow));
        assert.ok(!slots.take(nobody, slow));
      }
    }),
  );
});
