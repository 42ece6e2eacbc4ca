import { type RateDecision, type RatePolicy, type Taken, fullBucket, take } from './rate-limit.ts';

/** The buckets of all callers. */
export interface Buckets {
  /** Takes one token from the bucket of `key` at `now`, epoch milliseconds. */
  take(key: string, policy: RatePolicy, now: number): RateDecision;
}

interface Entry {
  key: string;
  fullAt: number;
  newer: Entry | null;
  older: Entry | null;
}

/**
 * Buckets of one process, by key. At most `capacity` are kept. The least recently used one is evicted first, and its
 * key then starts with a full bucket again. A linked list keeps the order: evicting by the iteration order of a Map
 * would walk over its deleted slots.
 */
export class RateLimitStore implements Buckets {
  readonly capacity: number;
  readonly #entries = new Map<string, Entry>();
  #newest: Entry | null = null;
  #oldest: Entry | null = null;

  constructor(capacity = 50_000) {
    if (!Number.isSafeInteger(capacity) || capacity < 1)
      throw new RangeError(`capacity ${capacity} is not a positive whole number`);
    this.capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Takes `cost` tokens from the bucket of `key` at `now` (epoch milliseconds). Constant time. `windows`: see `take` of
   * a bucket.
   */
  take(key: string, policy: RatePolicy, now: number, cost = 1, windows = 1): RateDecision {
    const entry = this.#entries.get(key);
    const taken: Taken = take(entry ? { policy, fullAt: entry.fullAt } : fullBucket(policy), now, cost, windows);
    this.#keep(entry, key, taken.bucket.fullAt);
    return taken;
  }

  /** Takes the amount that somebody else took at `at`, in milliseconds of refill, regardless of the remainder. */
  charge(key: string, dueMs: number, at: number): void {
    const entry = this.#entries.get(key);
    this.#keep(entry, key, Math.max(entry?.fullAt ?? -Infinity, at) + dueMs);
  }

  /** Makes the bucket of `key` full no earlier than `fullAt`. */
  atLeast(key: string, fullAt: number): void {
    const entry = this.#entries.get(key);
    this.#keep(entry, key, Math.max(entry?.fullAt ?? -Infinity, fullAt));
  }

  /** Yields the milliseconds of refill due at `now`, for each bucket that is not full. */
  *due(now: number): Generator<[key: string, dueMs: number]> {
    for (const { key, fullAt } of this.#entries.values()) if (fullAt > now) yield [key, fullAt - now];
  }

  #keep(entry: Entry | undefined, key: string, fullAt: number): void {
    if (entry) this.#unlink(entry);
    const kept: Entry = entry ?? { key, fullAt: 0, newer: null, older: null };
    kept.fullAt = fullAt;
    if (!entry) this.#add(kept);
    this.#linkAsNewest(kept);
  }

  #add(entry: Entry): void {
    if (this.#oldest && this.#entries.size >= this.capacity) {
      this.#entries.delete(this.#oldest.key);
      this.#unlink(this.#oldest);
    }
    this.#entries.set(entry.key, entry);
  }

  #linkAsNewest(entry: Entry): void {
    entry.newer = null;
    entry.older = this.#newest;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry): void {
    if (entry.newer) entry.newer.older = entry.older;
    else this.#newest = entry.older;
    if (entry.older) entry.older.newer = entry.newer;
    else this.#oldest = entry.newer;
  }
}
