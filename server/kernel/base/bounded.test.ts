import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/properties.ts';
import { Bounded } from './bounded.ts';

const bounded = (entries: number, bytes: number) =>
  new Bounded<number>({ entries, bytes, weigh: (_key, value) => value });

test('a cache never exceeds its bytes, and always returns the values that were built', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ key: fc.integer({ min: 0, max: 30 }), bytes: fc.integer({ min: 0, max: 800 }) }), {
        maxLength: 200,
      }),
      (asked) => {
        const cache = bounded(10, 1000);
        const weights = new Map<number, number>();
        for (const { key, bytes } of asked) {
          const weight = weights.get(key) ?? bytes;
          weights.set(key, weight);
          assert.equal(
            cache.get(String(key), () => weight),
            weight,
          );
          assert.ok(cache.bytes <= 1000);
        }
      },
    ),
  );
});

const made = (cache: Bounded<number>, key: string, bytes: number): boolean => {
  let anew = false;
  cache.get(key, () => {
    anew = true;
    return bytes;
  });
  return anew;
};

test('a large value is cached from the second request on, and rare ones evict nothing', () => {
  const cache = bounded(100, 6400);
  for (let i = 0; i < 50; i++) made(cache, `small ${i}`, 10);
  for (let i = 0; i < 500; i++) assert.ok(made(cache, `rare ${i}`, 3000));
  for (let i = 0; i < 50; i++) assert.ok(!made(cache, `small ${i}`, 10));
  assert.ok(made(cache, 'frequent', 3000));
  assert.ok(made(cache, 'frequent', 3000));
  assert.ok(!made(cache, 'frequent', 3000));
});

test('the oldest entries are evicted, and a value larger than half of the cache is never cached', () => {
  const cache = bounded(2, 6400);
  for (const key of ['a', 'b', 'c']) made(cache, key, 1);
  assert.ok(!made(cache, 'c', 1));
  assert.ok(made(cache, 'a', 1));
  for (let i = 0; i < 3; i++) assert.ok(made(cache, 'huge', 4000));
});
