/**
 * Token buckets that several processes take from. Each decides immediately by what it knows, tells the others a moment
 * later what it took, and hears what they took. What was taken too much in between is owed: a bucket can be overdrawn, and
 * gives nothing until that is refilled.
 *
 * So that little is taken too much, a process takes only its share of what was left when it last heard of the others,
 * and a little more, before it has heard of them again. One that takes much asks for that early: a proxy may send
 * everything of a caller to one process.
 */
import { RateLimitStore } from './rate-limit-store.ts';
import type { RateDecision, RatePolicy } from './rate-limit.ts';

/**
 * This part of a quota may be taken beyond it by all processes together, and one request by each of them, while their
 * reports arrive within a few hundredths of a second. However late they are, less than a second quota is.
 */
export const OVERDRAFT = 0.1;
/** More than this many windows of refill are never due, whatever was heard. */
const MOST_WINDOWS = 1.5;

export class SharedBuckets {
  readonly #store: RateLimitStore;
  #sharers = 1;
  /** tokens since the last report, and in the one that is under way */
  #taken = new Map<string, number>();
  #told = new Map<string, number>();
  /** milliseconds of refill that the others have not heard of */
  #owed = new Map<string, number>();
  #telling = new Map<string, number>();
  /** called when it should report soon */
  onHurry: () => void = () => {};

  constructor(capacity?: number) {
    this.#store = new RateLimitStore(capacity);
  }

  /** How many processes take from these buckets, this one included. */
  get sharers(): number {
    return this.#sharers;
  }

  share(sharers: number): void {
    this.#sharers = sharers;
    if (sharers === 1) for (const map of [this.#taken, this.#told, this.#owed, this.#telling]) map.clear();
  }

  /** As `RateLimitStore.take`. */
  take(key: string, policy: RatePolicy, now: number, cost = 1): RateDecision {
    if (this.#sharers === 1) return this.#store.take(key, policy, now, cost);
    const seen = this.#store.take(key, policy, now, 0, MOST_WINDOWS);
    const before = (this.#taken.get(key) ?? 0) + (this.#told.get(key) ?? 0);
    const overdraft = (OVERDRAFT * policy.quota) / this.#sharers;
    const share = Math.max(cost, (seen.remaining + before) / this.#sharers + overdraft);
    if (seen.remaining >= cost && before + cost > share) {
      this.onHurry();
      return { ...seen, allowed: false, remaining: 0, retryAfterSeconds: 1 };
    }
    const decision = this.#store.take(key, policy, now, cost, MOST_WINDOWS);
    if (decision.allowed) {
      add(this.#taken, key, cost);
      add(this.#owed, key, (Math.min(cost, policy.quota) * policy.windowSeconds * 1000) / policy.quota);
      // Before the share is used up, and before what the others say is left is wrong by more than a tenth.
      if (before + cost >= Math.min(share, overdraft) / 2) this.onHurry();
    }
    return decision;
  }

  /** What to tell the others now; `reported` then says whether they heard it. Null: nothing. */
  report(): Record<string, number> | null {
    if (this.#owed.size === 0) return null;
    [this.#told, this.#taken] = [this.#taken, new Map()];
    [this.#telling, this.#owed] = [this.#owed, new Map()];
    return Object.fromEntries(this.#telling);
  }

  /** Without an answer of the database a process goes on by itself, and tells later. */
  reported(done: boolean): void {
    if (!done) for (const [key, ms] of this.#telling) add(this.#owed, key, ms);
    this.#told.clear();
    this.#telling.clear();
  }

  /** What another process took at `at`, epoch milliseconds, as it said it in its report. */
  hear(taken: Readonly<Record<string, number>>, at: number): void {
    for (const [key, ms] of Object.entries(taken)) this.#store.charge(key, ms, at);
  }

  /** Everything that is known at `now`, for a process that begins: milliseconds of refill that are due. */
  whole(now: number): Record<string, number> {
    return Object.fromEntries(this.#store.due(now));
  }

  /** What another process knew at `at`. This one knows a part of it, and no other part is lost. */
  learn(whole: Readonly<Record<string, number>>, at: number): void {
    for (const [key, ms] of Object.entries(whole)) this.#store.atLeast(key, at + ms);
  }
}

const add = (map: Map<string, number>, key: string, n: number): void => void map.set(key, (map.get(key) ?? 0) + n);
