/**
 * Token buckets that several processes share. Each process decides immediately by what it knows, reports a moment later
 * how much it took, and receives the reports of the others. The excess taken in between is a debt: an overdrawn bucket
 * allows nothing until it is refilled.
 *
 * To limit the excess, a process takes only its share of what was left at the last reports of the others, and a little
 * more, until it receives new ones. A process that takes much asks for reports early: a proxy may send all requests of
 * a caller to one process.
 */
import { RateLimitStore, type Buckets } from '../../kernel/api/limits/rate-limit-store.ts';
import type { RateDecision, RatePolicy } from '../../kernel/api/limits/rate-limit.ts';

/**
 * Share of a quota that all processes together may take beyond it, plus one request each, while their reports arrive
 * within a few hundredths of a second. However late the reports are, the excess stays below a second quota.
 */
export const OVERDRAFT = 0.1;
/** A bucket never owes more than this many windows of refill, no matter what the reports say. */
const MAX_WINDOWS = 1.5;

export class SharedBuckets implements Buckets {
  readonly #store: RateLimitStore;
  #sharers = 1;
  /** tokens since the last report, and in the one in transit */
  #taken = new Map<string, number>();
  #sent = new Map<string, number>();
  /** milliseconds of refill that the others don't know about */
  #owed = new Map<string, number>();
  #sending = new Map<string, number>();
  /** called when a report should be sent soon */
  onHurry: () => void = () => {};

  constructor(capacity?: number) {
    this.#store = new RateLimitStore(capacity);
  }

  /** Number of processes that share these buckets, including this one. */
  get sharers(): number {
    return this.#sharers;
  }

  share(sharers: number): void {
    this.#sharers = sharers;
    if (sharers === 1) for (const map of [this.#taken, this.#sent, this.#owed, this.#sending]) map.clear();
  }

  /** Takes tokens like `RateLimitStore.take`. */
  take(key: string, policy: RatePolicy, now: number, cost = 1): RateDecision {
    if (this.#sharers === 1) return this.#store.take(key, policy, now, cost);
    const seen = this.#store.take(key, policy, now, 0, MAX_WINDOWS);
    const before = (this.#taken.get(key) ?? 0) + (this.#sent.get(key) ?? 0);
    const overdraft = (OVERDRAFT * policy.quota) / this.#sharers;
    const share = Math.max(cost, (seen.remaining + before) / this.#sharers + overdraft);
    if (seen.remaining >= cost && before + cost > share) {
      this.onHurry();
      return { ...seen, allowed: false, remaining: 0, retryAfterSeconds: 1 };
    }
    const decision = this.#store.take(key, policy, now, cost, MAX_WINDOWS);
    if (decision.allowed) {
      add(this.#taken, key, cost);
      add(this.#owed, key, (Math.min(cost, policy.quota) * policy.windowSeconds * 1000) / policy.quota);
      // Before the share is used up, and before the reported remainder is wrong by more than a tenth.
      if (before + cost >= Math.min(share, overdraft) / 2) this.onHurry();
    }
    return decision;
  }

  /**
   * Returns the report to send; null if there is nothing to report. The caller then passes the outcome to `reported`.
   */
  report(): Record<string, number> | null {
    if (this.#owed.size === 0) return null;
    [this.#sent, this.#taken] = [this.#taken, new Map()];
    [this.#sending, this.#owed] = [this.#owed, new Map()];
    return Object.fromEntries(this.#sending);
  }

  /** Records the outcome. Without a response from the database, a process continues alone and reports later. */
  reported(done: boolean): void {
    if (!done) for (const [key, ms] of this.#sending) add(this.#owed, key, ms);
    this.#sent.clear();
    this.#sending.clear();
  }

  /** Records what another process took at `at`, epoch milliseconds, by its report. */
  hear(taken: Readonly<Record<string, number>>, at: number): void {
    for (const [key, ms] of Object.entries(taken)) this.#store.charge(key, ms, at);
  }

  /** Returns the whole state at `now`, for a process that starts: milliseconds of refill that are due. */
  whole(now: number): Record<string, number> {
    return Object.fromEntries(this.#store.due(now));
  }

  /** Merges the state of another process at `at`. This process knows a part of it, and loses none of its own. */
  learn(whole: Readonly<Record<string, number>>, at: number): void {
    for (const [key, ms] of Object.entries(whole)) this.#store.atLeast(key, at + ms);
  }
}

const add = (map: Map<string, number>, key: string, n: number): void => void map.set(key, (map.get(key) ?? 0) + n);
