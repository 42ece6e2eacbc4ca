/** What a service under test takes for now, epoch ms: the real time until a test sets or stops it. */
export class TestClock {
  #ahead = 0;
  #stoppedAt: number | null = null;

  get now(): number {
    return this.#stoppedAt ?? Date.now() + this.#ahead;
  }

  /** It is this moment, and time goes on from there. */
  set(epochMs: number): void {
    this.#stoppedAt = null;
    this.#ahead = epochMs - Date.now();
  }

  /** It stays this moment: two answers that tell the time tell the same. */
  stop(epochMs: number): void {
    this.#stoppedAt = epochMs;
  }

  reset(): void {
    this.#stoppedAt = null;
    this.#ahead = 0;
  }
}
