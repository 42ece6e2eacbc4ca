/**
 * How far behind a replica is, in time. The primary says now and then how far its log is; a replica that has not got there
 * is behind by the time that has passed since. So no clock but ours is read.
 */
interface Sample {
  readonly position: number;
  /** when the primary was first seen to be there, ms */
  readonly at: number;
}

/** More would only be more exact about replicas that nobody reads from. */
const KEPT = 512;

export class Lag {
  #samples: Sample[] = [];
  #timeline = 0;

  /** The primary is at this position of this timeline. */
  note(timeline: number, position: number, now: number): void {
    // What was said of another timeline can't be compared.
    if (timeline !== this.#timeline) this.#samples = [];
    this.#timeline = timeline;
    const last = this.#samples.at(-1);
    if (last && position <= last.position) return;
    this.#samples.push({ position, at: now });
    // Every second one is enough: the oldest stays, which says how long it has been.
    if (this.#samples.length > KEPT) this.#samples = this.#samples.filter((_, n) => n % 2 === 0);
  }

  /** ms; of a replica that is at this position */
  of(position: number, now: number): number {
    const ahead = this.#samples.find((sample) => sample.position > position);
    return ahead ? Math.max(0, now - ahead.at) : 0;
  }

  /** All replicas have got here: what came before says nothing any more. */
  forget(position: number): void {
    this.#samples = this.#samples.filter((sample) => sample.position > position);
  }
}
