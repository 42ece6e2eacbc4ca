/** One cell from the point of view of a process: its last report of its businesses, polled for changes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Asked, NameReport } from './name-report.ts';

/** Minimum time between two requests to a cell, however often unknown names are requested, in milliseconds. */
const MIN_DELAY_MS = 20;
/** Interval of complete reports: a restored database has forgotten what it reported. */
const WHOLE_MS = 600_000;

export class Source {
  readonly cell: number;
  readonly #ask: (asked: Asked) => Promise<NameReport>;
  readonly #take: (report: NameReport, isWhole: boolean) => void;
  #since: string | null = null;
  #wholeAt = -Infinity;
  #askedAt = -Infinity;
  #heard = false;
  #away: Error | null = null;
  #running?: Promise<void>;
  #next?: Promise<void>;

  constructor(
    cell: number,
    ask: (asked: Asked) => Promise<NameReport>,
    take: (report: NameReport, isWhole: boolean) => void,
  ) {
    this.cell = cell;
    this.#ask = ask;
    this.#take = take;
  }

  /** True if it has reported everything at least once. */
  get isHeard(): boolean {
    return this.#heard;
  }

  /** Reason why it did not respond to the last request; null: it did. */
  get away(): Error | null {
    return this.#away;
  }

  /**
   * Resolves when it has been asked after this call, whether it responds or not. Concurrent callers share one request.
   */
  hear(): Promise<void> {
    if (!this.#running) return this.#begin();
    return (this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#begin();
    }));
  }

  #begin(): Promise<void> {
    return (this.#running ??= this.#hearOnce().finally(() => (this.#running = undefined)));
  }

  async #hearOnce(): Promise<void> {
    const early = this.#askedAt + MIN_DELAY_MS - performance.now();
    if (early > 0) await delay(early, undefined, { ref: false });
    const at = (this.#askedAt = performance.now());
    const isWhole = this.#since === null || at - this.#wholeAt > WHOLE_MS;
    try {
      const report = await this.#ask({ since: isWhole ? null : this.#since });
      this.#away = null;
      // Transaction ids don't decrease, unless the database is now another one.
      if (!isWhole && BigInt(report.until) < BigInt(this.#since!)) {
        this.#since = null;
        return;
      }
      this.#take(report, isWhole);
      if (isWhole) this.#wholeAt = at;
      this.#since = report.until;
      this.#heard = true;
    } catch (error) {
      this.#away = error as Error;
    }
  }
}
