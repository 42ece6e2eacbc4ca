/** How many statements something takes, counted where each is answered. One file counts in a process of its own. */
import { Batch } from '../kernel/db/batch.ts';

export class StatementCount {
  readonly #complete = Batch.prototype.handleCommandComplete;
  #statements = 0;

  constructor() {
    const [complete, count] = [this.#complete, () => (this.#statements += 1)];
    Batch.prototype.handleCommandComplete = function (message) {
      count();
      return complete.call(this, message);
    };
  }

  /** The fewest of several runs: now and then a request looks its business or its credential up again. */
  async fewest(act: () => Promise<unknown>, runs = 5): Promise<number> {
    let least = Infinity;
    for (let i = 0; i < runs; i++) {
      const before = this.#statements;
      await act();
      least = Math.min(least, this.#statements - before);
    }
    return least;
  }

  stop(): void {
    Batch.prototype.handleCommandComplete = this.#complete;
  }
}
