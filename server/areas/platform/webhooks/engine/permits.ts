/**
 * Limits for the requests in flight in total: one number for destinations that respond quickly, and another for slow
 * ones, so that these never use up the permits of the others.
 */
/** A lane that wants a permit; it is pumped when there is one. */
interface Waiting {
  pump(): void;
}

export class Permits {
  readonly #free: { quick: number; slow: number };
  readonly #waiting = { quick: new Set<Waiting>(), slow: new Set<Waiting>() };

  constructor(quick: number, slow: number) {
    this.#free = { quick, slow };
  }

  /** Returns whether there was a permit; if not, the lane is pumped when there is. */
  take(lane: Waiting, slow: boolean): boolean {
    const pool = slow ? 'slow' : 'quick';
    if (this.#free[pool] <= 0) {
      this.#waiting[pool].add(lane);
      return false;
    }
    this.#free[pool]--;
    return true;
  }

  give(slow: boolean): void {
    this.#put(slow ? 'slow' : 'quick', 1);
  }

  /** Moves requests that turn out slow, or quick again, to the other pool, which may be overdrawn for a while. */
  move(n: number, toSlow: boolean): void {
    this.#free[toSlow ? 'slow' : 'quick'] -= n;
    this.#put(toSlow ? 'quick' : 'slow', n);
  }

  forget(lane: Waiting): void {
    this.#waiting.quick.delete(lane);
    this.#waiting.slow.delete(lane);
  }

  #put(pool: 'quick' | 'slow', n: number): void {
    this.#free[pool] += n;
    // The lane that has waited longest is first, and queues behind the others for its next permit.
    for (const lane of [...this.#waiting[pool]].slice(0, Math.max(this.#free[pool], 0))) {
      this.#waiting[pool].delete(lane);
      lane.pump();
    }
  }
}
