/** The queue of `turns.ts` as promises, with a time limit. */
import { Turns, type Kind } from './turns.ts';

/** Maximum wait, in milliseconds: a later response helps no caller. */
const LONGEST_WAIT_MS = 10_000;

/** No connection became free in time. The request did nothing and may be sent again. */
export class Busy extends Error {
  constructor() {
    super('no connection to the database came free in time');
  }
}

export class Gate {
  readonly #turns: Turns;
  readonly #longestMs: number;

  constructor(size: number, longestMs = LONGEST_WAIT_MS) {
    this.#turns = new Turns(size);
    this.#longestMs = longestMs;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Resolves when the turn begins; the caller must then call `leave`. Returns undefined if it begins immediately.
   * @throws Busy
   */
  enter(key: number, kind: Kind): Promise<void> | undefined {
    let begin!: () => void;
    const ticket = this.#turns.enter(key, kind, () => begin());
    if (ticket === null) return undefined;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.#turns.giveUp(key, kind, ticket)) reject(new Busy());
      }, this.#longestMs);
      begin = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the turn, which took `ms`. */
  leave(key: number, kind: Kind, ms?: number): void {
    this.#turns.leave(key, kind, ms);
  }
}
