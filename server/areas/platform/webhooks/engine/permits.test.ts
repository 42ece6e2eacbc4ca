import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { Permits } from './permits.ts';

const nobody = { pump: () => {} };

test('slow destinations use up their own permits and none of the others', () => {
  const permits = new Permits(3, 2);
  assert.deepEqual(
    [1, 2, 3].map(() => permits.take(nobody, true)),
    [true, true, false],
  );
  assert.deepEqual(
    [1, 2, 3, 4].map(() => permits.take(nobody, false)),
    [true, true, true, false],
  );
});

test('a request that turns out slow immediately makes room for quick ones, and none for another slow one', () => {
  const permits = new Permits(2, 1);
  for (let i = 0; i < 2; i++) permits.take(nobody, false);
  permits.move(2, true);
  assert.equal(permits.take(nobody, true), false);
  assert.deepEqual(
    [1, 2, 3].map(() => permits.take(nobody, false)),
    [true, true, false],
  );
  permits.give(true);
  assert.equal(permits.take(nobody, true), false, 'it was overdrawn by one');
  permits.give(true);
  assert.equal(permits.take(nobody, true), true);
});

test('waiting lanes are served in order, one permit each', () => {
  const permits = new Permits(1, 1);
  permits.take(nobody, false);
  const served: string[] = [];
  const lane = (name: string) => {
    const one = { pump: () => void (permits.take(one, false) && served.push(name)) };
    return one;
  };
  for (const name of ['a', 'b', 'c']) permits.take(lane(name), false);
  for (let i = 0; i < 5; i++) permits.give(false);
  assert.deepEqual(served, ['a', 'b', 'c']);
});

test('after any sequence of taking, moving and returning, the number of permits is unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('take', 'give', 'move'), fc.boolean())), (steps) => {
      const permits = new Permits(4, 3);
      const held = { quick: 0, slow: 0 };
      for (const [step, slow] of steps) {
        const [from, to] = slow ? (['quick', 'slow'] as const) : (['slow', 'quick'] as const);
        if (step === 'take' && permits.take(nobody, slow)) held[to]++;
        if (step === 'give' && held[to] > 0) {
          held[to]--;
          permits.give(slow);
        }
        if (step === 'move' && held[from] > 0) {
          held[from]--;
          held[to]++;
          permits.move(1, slow);
        }
      }
      for (let i = 0; i < held.quick; i++) permits.give(false);
      for (let i = 0; i < held.slow; i++) permits.give(true);
      for (const [slow, n] of [
        [false, 4],
        [true, 3],
      ] as const) {
        for (let i = 0; i < n; i++) assert.ok(permits.take(nobody, slow));
        assert.ok(!permits.take(nobody, slow));
      }
    }),
  );
});
