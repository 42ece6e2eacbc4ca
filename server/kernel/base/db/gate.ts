/** The turns of `turns.ts` as something to wait for, with an end to the waiting. */
import { Turns, type Kind } from './turns.ts';

/** Nobody waits longer than this, ms: an answer that comes later helps no caller. */
const LONGEST_WAIT_MS = 10_000;

/** No connection came free in time. The request did nothing and may be sent again. */
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
   * Resolves when it is their turn; they must `leave` then. Undefined: it is at once.
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

  /** `ms`: how long their turn took. */
  leave(key: number, kind: Kind, ms?: number): void {
    this.#turns.leave(key, kind, ms);
  }
}
