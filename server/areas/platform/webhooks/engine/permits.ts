/**
 * How many requests are under way at once, in all: a number for destinations that answer quickly, and another for slow
 * ones, so that these never use up what those need.
 */
/** Whoever wants a permit; pumped when there is one. */
export interface Waiting {
  pump(): void;
}

export class Permits {
  readonly #free: { quick: number; slow: number };
  readonly #waiting = { quick: new Set<Waiting>(), slow: new Set<Waiting>() };

  constructor(quick: number, slow: number) {
    this.#free = { quick, slow };
  }

  /** Whether there was one; else the lane is pumped when there is. */
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

  /** Requests that turn out slow, or quick again, change sides; the other side may be overdrawn for a while. */
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
    // Whoever waited longest is first, and waits again behind the others for the next.
    for (const lane of [...this.#waiting[pool]].slice(0, Math.max(this.#free[pool], 0))) {
      this.#waiting[pool].delete(lane);
      lane.pump();
    }
  }
}
