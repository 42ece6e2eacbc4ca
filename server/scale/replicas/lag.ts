/**
 * The lag of replicas, in time. The primary's log position is recorded from time to time; the lag of a replica that has
 * not reached it is the time since then. So only our own clock is read.
 */
interface Sample {
  readonly position: number;
  /** when the primary was first seen at this position, in milliseconds */
  readonly at: number;
}

/** More samples would only improve the precision for replicas that nobody reads from. */
const KEPT = 512;

export class Lag {
  #samples: Sample[] = [];
  #timeline = 0;

  /** Records the primary's position on this timeline. */
  note(timeline: number, position: number, now: number): void {
    // Positions of another timeline can't be compared.
    if (timeline !== this.#timeline) this.#samples = [];
    this.#timeline = timeline;
    const last = this.#samples.at(-1);
    if (last && position <= last.position) return;
    this.#samples.push({ position, at: now });
    // Drops every second sample, but keeps the oldest, which determines the greatest lag.
    if (this.#samples.length > KEPT) this.#samples = this.#samples.filter((_, n) => n % 2 === 0);
  }

  /** Returns the lag of a replica at this position, in milliseconds. */
  of(position: number, now: number): number {
    const ahead = this.#samples.find((sample) => sample.position > position);
    return ahead ? Math.max(0, now - ahead.at) : 0;
  }

  /** Drops samples that all replicas have passed. */
  forget(position: number): void {
    this.#samples = this.#samples.filter((sample) => sample.position > position);
  }
}
