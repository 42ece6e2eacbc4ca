import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { RateLimitStore } from './rate-limit-store.ts';
import { type RatePolicy, fullBucket, rateLimitHeaders, take } from './rate-limit.ts';

const T0 = Date.UTC(2026, 0, 1);
const TEN_A_MINUTE: RatePolicy = { name: 'default', quota: 10, windowSeconds: 60 };

/** [milliseconds after T0, cost, allowed, remaining, resetSeconds, retryAfterSeconds] */
type Step = [number, number, boolean, number, number, number];

const TABLE: Record<string, Step[]> = {
  'a full bucket serves its whole quota at once, the next request waits one refill': [
    [0, 9, true, 1, 54, 0],
    [0, 1, true, 0, 60, 0],
    [0, 1, false, 0, 60, 6],
    [5_999, 1, false, 0, 55, 1],
    [6_000, 1, true, 0, 60, 0],
  ],
  'a refused request takes nothing': [
    [0, 10, true, 0, 60, 0],
    [3_000, 1, false, 0, 57, 3],
    [3_000, 1, false, 0, 57, 3],
    [6_000, 1, true, 0, 60, 0],
  ],
  'a bucket never holds more than its quota': [
    [0, 1, true, 9, 6, 0],
    [86_400_000, 1, true, 9, 6, 0],
  ],
  'tokens come back one by one': [
    [0, 10, true, 0, 60, 0],
    [12_000, 0, true, 2, 48, 0],
    [17_999, 0, true, 2, 43, 0],
    [18_000, 0, true, 3, 42, 0],
    [60_000, 0, true, 10, 0, 0],
  ],
  'a cost above the quota needs a full bucket and empties it': [
    [0, 25, true, 0, 60, 0],
    [59_000, 25, false, 9, 1, 1],
    [60_000, 25, true, 0, 60, 0],
  ],
  'a clock set back makes nobody wait longer than one window': [
    [0, 10, true, 0, 60, 0],
    [-3_600_000, 1, false, 0, 60, 6],
    [-3_594_000, 1, true, 0, 60, 0],
  ],
};
for (const [guarantee, steps] of Object.entries(TABLE)) {
  test(guarantee, () => {
    let bucket = fullBucket(TEN_A_MINUTE);
    for (const [at, cost, allowed, remaining, resetSeconds, retryAfterSeconds] of steps) {
      const { bucket: after, ...decision } = take(bucket, T0 + at, cost);
      assert.deepEqual(decision, { allowed, remaining, resetSeconds, retryAfterSeconds }, `at ${at} ms`);
      bucket = after;
    }
  });
}

test('a caller who waits for Retry-After is served, and no window ever serves more than two quotas', () => {
  const policy = fc.record({
    name: fc.constant('p'),
    quota: fc.integer({ min: 1, max: 50 }),
    windowSeconds: fc.integer({ min: 1, max: 90 }),
  });
  const waits = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 150 });
  fc.assert(
    fc.property(policy, waits, (p, gaps) => {
      let bucket = fullBucket(p);
      let now = T0;
      const served: number[] = [];
      for (const gap of gaps) {
        now += gap;
        const taken = take(bucket, now);
        bucket = taken.bucket;
        if (taken.allowed) served.push(now);
        else assert.ok(take(bucket, now + taken.retryAfterSeconds * 1000).allowed);
      }
      for (const start of served) {
        const inWindow = served.filter((at) => at >= start && at < start + p.windowSeconds * 1000).length;
        assert.ok(inWindow <= 2 * p.quota, `${inWindow} served with quota ${p.quota}`);
      }
    }),
  );
});

test('a policy that could never allow anything is refused', () => {
  assert.throws(() => fullBucket({ name: 'x', quota: 0, windowSeconds: 60 }), RangeError);
  assert.throws(() => fullBucket({ name: 'x', quota: 5, windowSeconds: 0.5 }), RangeError);
  assert.throws(() => take(fullBucket(TEN_A_MINUTE), T0, -1), RangeError);
});

test('the header fields are those of the IETF draft, with Retry-After on a refusal only', () => {
  const policy = { name: 'default', quota: 600, windowSeconds: 60 };
  const first = take(fullBucket(policy), T0);
  assert.deepEqual(rateLimitHeaders(policy, first), {
    'ratelimit-policy': '"default";q=600;w=60',
    ratelimit: '"default";r=599;t=1',
  });
  const refused = take(take(first.bucket, T0, 599).bucket, T0, 30);
  assert.deepEqual(rateLimitHeaders(policy, refused), {
    'ratelimit-policy': '"default";q=600;w=60',
    ratelimit: '"default";r=0;t=60',
    'retry-after': '3',
  });
  assert.match(rateLimitHeaders({ ...policy, name: 'a"b\\' }, first).ratelimit, /^"a\\"b\\\\";r=/);
  assert.throws(() => rateLimitHeaders({ ...policy, name: 'a\r\nSet-Cookie: x' }, first), RangeError);
});

test('keys have separate buckets', () => {
  const store = new RateLimitStore();
  assert.equal(store.take('a', TEN_A_MINUTE, T0, 10).remaining, 0);
  assert.equal(store.take('b', TEN_A_MINUTE, T0).remaining, 9);
  assert.equal(store.take('a', TEN_A_MINUTE, T0).allowed, false);
});

// Guards against: Exhausting the service
test('a full store evicts only the least recently used key', () => {
  const store = new RateLimitStore(3);
  for (const key of ['a', 'b', 'c', 'a', 'd']) store.take(key, TEN_A_MINUTE, T0);
  assert.equal(store.size, 3);
  const left = (key: string) => store.take(key, TEN_A_MINUTE, T0, 0).remaining;
  assert.deepEqual([left('a'), left('c'), left('d')], [8, 9, 9]);
  assert.equal(left('b'), 10, 'b was forgotten and starts full');
});

test('a store of one key still works', () => {
  const store = new RateLimitStore(1);
  for (const key of ['a', 'b', 'b', 'a']) store.take(key, TEN_A_MINUTE, T0);
  assert.equal(store.size, 1);
  assert.equal(store.take('a', TEN_A_MINUTE, T0, 0).remaining, 9);
});

test('a store evicts like an exact least-recently-used list', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      (keys, capacity) => {
        const store = new RateLimitStore(capacity);
        let recent: { key: string; taken: number }[] = [];
        for (const key of keys) {
          const taken = (recent.find((entry) => entry.key === key)?.taken ?? 0) + 1;
          recent = [{ key, taken }, ...recent.filter((entry) => entry.key !== key)].slice(0, capacity);
          assert.equal(store.take(key, TEN_A_MINUTE, T0).remaining, Math.max(10 - taken, 0));
          assert.equal(store.size, recent.length);
        }
      },
    ),
  );
});
