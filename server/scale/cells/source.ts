/** One cell as a process knows it: what it told of its businesses last, asked again and again for what has changed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Asked, Told } from './told.ts';

/** However often something unknown is asked for, a cell is asked no more often than this, ms. */
const LEAST_MS = 20;
/** Now and then everything is asked for anew: a database that was restored has forgotten what it told. */
const WHOLE_MS = 600_000;

export class Source {
  readonly cell: number;
  readonly #ask: (asked: Asked) => Promise<Told>;
  readonly #take: (told: Told, isWhole: boolean) => void;
  #since: string | null = null;
  #wholeAt = -Infinity;
  #askedAt = -Infinity;
  #heard = false;
  #away: Error | null = null;
  #running?: Promise<void>;
  #next?: Promise<void>;

  constructor(cell: number, ask: (asked: Asked) => Promise<Told>, take: (told: Told, isWhole: boolean) => void) {
    this.cell = cell;
    this.#ask = ask;
    this.#take = take;
  }

  /** It has told everything at least once. */
  get isHeard(): boolean {
    return this.#heard;
  }

  /** Why it did not answer when it was asked last; null: it did. */
  get away(): Error | null {
    return this.#away;
  }

  /** Resolves when it has been asked after this call, whether it answers or not. Callers of one moment ask once. */
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
    const early = this.#askedAt + LEAST_MS - performance.now();
    if (early > 0) await delay(early, undefined, { ref: false });
    const at = (this.#askedAt = performance.now());
    const isWhole = this.#since === null || at - this.#wholeAt > WHOLE_MS;
    try {
      const told = await this.#ask({ since: isWhole ? null : this.#since });
      this.#away = null;
      // Transactions don't go backwards, but for a database that is another one now.
      if (!isWhole && BigInt(told.until) < BigInt(this.#since!)) {
        this.#since = null;
        return;
      }
      this.#take(told, isWhole);
      if (isWhole) this.#wholeAt = at;
      this.#since = told.until;
      this.#heard = true;
    } catch (error) {
      this.#away = error as Error;
    }
  }
}
