/** Several processes on one clock that the test moves, with a delay for messages between them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/properties.ts';
import { chance } from '../../test/storm.ts';
import { OVERDRAFT, SharedBuckets } from './shared-buckets.ts';
import type { RatePolicy } from '../../kernel/api/limits/rate-limit.ts';

const T0 = Date.UTC(2026, 0, 1);
const KEY = 'person:7';
const EVERY_MS = 250;
const HURRY_MS = 20;

interface Said {
  readonly by: number;
  readonly at: number;
  readonly taken: Record<string, number>;
}

/** Processes that report every quarter of a second, or soon if one asks for it; the response takes `wayMs`. */
class Several {
  readonly buckets: SharedBuckets[];
  readonly #wayMs: number;
  readonly #said: Said[] = [];
  readonly #nextAt: number[];
  readonly #answerAt: (number | null)[];
  readonly #heard: number[];
  reports = 0;
  now = 0;

  constructor(n: number, wayMs: number) {
    this.#wayMs = wayMs;
    this.buckets = Array.from({ length: n }, () => new SharedBuckets());
    // Reports are spread out: the processes started at different times.
    this.#nextAt = this.buckets.map((_, i) => Math.round((i * EVERY_MS) / n));
    this.#answerAt = this.buckets.map(() => null);
    this.#heard = this.buckets.map(() => 0);
    this.buckets.forEach((bucket, i) => {
      bucket.share(n);
      bucket.onHurry = () => (this.#nextAt[i] = Math.min(this.#nextAt[i], this.now + HURRY_MS));
    });
  }

  take(process: number, policy: RatePolicy) {
    return this.buckets[process].take(KEY, policy, T0 + this.now);
  }

  /** Advances the clock by one millisecond. */
  pass(): void {
    this.now += 1;
    this.buckets.forEach((bucket, i) => {
      if (this.#answerAt[i] !== null) {
        if (this.now < this.#answerAt[i]) return;
        this.#answerAt[i] = null;
        bucket.reported(true);
        for (const said of this.#said.slice(this.#heard[i])) if (said.by !== i) bucket.hear(said.taken, T0 + said.at);
        this.#heard[i] = this.#said.length;
      } else if (this.now >= this.#nextAt[i]) {
        this.#nextAt[i] = this.now + EVERY_MS;
        this.#answerAt[i] = this.now + this.#wayMs;
        const taken = bucket.report();
        this.reports += 1;
        if (taken) this.#said.push({ by: i, at: this.now, taken });
      }
    });
  }
}

const MINUTE = 60_000;

/** Returns the highest number of granted requests within any minute. */
function mostInAMinute(granted: readonly number[]): number {
  let [most, from] = [0, 0];
  for (let to = 0; to < granted.length; to++) {
    while (granted[to] - granted[from] >= MINUTE) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

test('however a caller spreads its requests, no minute grants more than one process would, plus a tenth of the limit and one per process', () => {
  fc.assert(
    fc.property(
      fc.record({
        processes: fc.integer({ min: 2, max: 5 }),
        quota: fc.constantFrom(30, 60, 300, 600, 6000),
        wayMs: fc.integer({ min: 1, max: 60 }),
        perMs: fc.integer({ min: 1, max: 8 }),
        seed: fc.integer({ min: 1, max: 1e6 }),
      }),
      ({ processes, quota, wayMs, perMs, seed }) => {
        const policy = { name: 'p', quota, windowSeconds: 60 };
        const several = new Several(processes, wayMs);
        const luck = chance(seed);
        const granted: number[] = [];
        const lasts = 75_000;
        // Heavy load first, then bursts: each pause lets the bucket refill.
        while (several.now < lasts) {
          const isBurst = several.now < 10_000 || Math.floor(several.now / 5000) % 2 === 0;
          for (let i = 0; i < (isBurst ? perMs : 0); i++)
            if (several.take(luck.below(processes), policy).allowed) granted.push(several.now);
          several.pass();
        }
        const most = 2 * quota + OVERDRAFT * quota + processes;
        assert.ok(mostInAMinute(granted) <= most, `${mostInAMinute(granted)} of ${most}`);
        const inAll = quota + (lasts / MINUTE) * quota + OVERDRAFT * quota + processes;
        assert.ok(granted.length <= inAll, `${granted.length} of ${inAll} in all`);
      },
    ),
    { numRuns: 20 },
  );
});

test('one process of several serves the whole limit of a caller whom a proxy always sends to it, without a refusal', () => {
  const policy = { name: 'person', quota: 600, windowSeconds: 60 };
  const several = new Several(3, 10);
  const decisions = Array.from({ length: 600 }, () => {
    for (let ms = 0; ms < 3; ms++) several.pass();
    return several.take(1, policy);
  });
  assert.equal(decisions.filter(({ allowed }) => !allowed).length, 0);
  // At ten requests a second, which is the bucket's rate, it is served indefinitely.
  for (let n = 0; n < 300; n++) {
    for (let ms = 0; ms < 100; ms++) several.pass();
    assert.ok(several.take(1, policy).allowed, `request ${n} at the rate of the limit`);
  }
});

test('the reported remainder is right in every process to within a tenth of the limit, a moment after the last request', () => {
  const policy = { name: 'machine', quota: 6000, windowSeconds: 60 };
  const several = new Several(3, 20);
  for (let n = 0; n < 3000; n++) {
    several.take(n % 3, policy);
    if (n % 4 === 0) several.pass();
  }
  const taken = () => 3000 - (several.now * policy.quota) / MINUTE;
  const atOnce = several.take(0, policy).remaining;
  assert.ok(Math.abs(6000 - taken() - atOnce) <= OVERDRAFT * 6000, `${atOnce} left`);
  for (let ms = 0; ms < 600; ms++) several.pass();
  for (const process of [0, 1, 2]) {
    const { remaining } = several.take(process, policy);
    assert.ok(Math.abs(6000 - taken() - remaining) <= 5, `${remaining} left in process ${process}`);
  }
});

test('the excess is a debt: nobody gets more until it is refilled', () => {
  const policy = { name: 'p', quota: 60, windowSeconds: 60 };
  const [one, other] = [new SharedBuckets(), new SharedBuckets()];
  for (const bucket of [one, other]) bucket.share(2);
  const most = (bucket: SharedBuckets) => {
    let n = 0;
    while (bucket.take(KEY, policy, T0).allowed) n += 1;
    return n;
  };
  const both = most(one) + most(other);
  assert.ok(both > 60 && both <= 66 + 2, `${both} before they have heard of one another`);
  const [first, second] = [one.report()!, other.report()!];
  for (const bucket of [one, other]) bucket.reported(true);
  one.hear(second, T0);
  other.hear(first, T0);
  for (const bucket of [one, other]) {
    const refused = bucket.take(KEY, policy, T0 + 1000);
    assert.deepEqual([refused.allowed, refused.remaining], [false, 0]);
    const owed = both - 60;
    assert.ok(Math.abs(refused.retryAfterSeconds - owed) <= 1, `${refused.retryAfterSeconds} s for ${owed} too many`);
    assert.ok(bucket.take(KEY, policy, T0 + 1000 + refused.retryAfterSeconds * 1000).allowed);
  }
});

test('a process that starts learns what was taken before, and a single process has the whole limit', () => {
  const policy = { name: 'p', quota: 60, windowSeconds: 60 };
  const [old, fresh] = [new SharedBuckets(), new SharedBuckets()];
  for (let n = 0; n < 50; n++) old.take(KEY, policy, T0);
  assert.equal(old.report(), null, 'alone it tells nobody');
  fresh.share(2);
  old.share(2);
  fresh.learn(old.whole(T0), T0);
  fresh.learn(old.whole(T0), T0);
  assert.equal(fresh.take(KEY, policy, T0).remaining, 9, 'heard twice, it is the same');
  fresh.share(1);
  let n = 0;
  while (fresh.take(KEY, policy, T0).allowed) n += 1;
  assert.equal(n, 9);
});

test('without the database a process continues alone, and reports later', () => {
  const policy = { name: 'p', quota: 60, windowSeconds: 60 };
  const [one, other] = [new SharedBuckets(), new SharedBuckets()];
  for (const bucket of [one, other]) bucket.share(2);
  for (let n = 0; n < 20; n++) one.take(KEY, policy, T0);
  one.report();
  one.reported(false);
  for (let n = 0; n < 20; n++) assert.ok(one.take(KEY, policy, T0).allowed);
  other.hear(one.report()!, T0);
  assert.equal(other.take(KEY, policy, T0, 0).remaining, 20);
});
