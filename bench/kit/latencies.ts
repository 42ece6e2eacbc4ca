/** The latencies of a run in milliseconds, with exact percentiles; four bytes each. */
export class Latencies {
  #values = new Float32Array(4096);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(ms: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count++] = ms;
  }

  /** Returns nearest-rank percentiles; zeros if nothing was added. */
  summary(): { p50: number; p95: number; p99: number; max: number } {
    const sorted = this.#values.subarray(0, this.#count).toSorted();
    const at = (share: number): number => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  }
}
