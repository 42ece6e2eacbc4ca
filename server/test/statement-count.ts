/**
 * Counts the statements that an action takes, at the point where each is answered. The count covers the whole process,
 * so only one file may count in it at a time.
 */
import { Batch } from '../kernel/base/db/sharing/batch.ts';

/** The database load of an action. */
export interface Spent {
  /** round trips: writes to a connection, each of which is waited for */
  readonly exchanges: number;
  readonly statements: number;
}

export class StatementCount {
  readonly #complete = Batch.prototype.handleCommandComplete;
  readonly #submit = Batch.prototype.submit;
  #statements = 0;
  #exchanges = 0;

  constructor() {
    const [complete, count] = [this.#complete, () => (this.#statements += 1)];
    Batch.prototype.handleCommandComplete = function (message) {
      count();
      return complete.call(this, message);
    };
    const [submit, send] = [this.#submit, () => (this.#exchanges += 1)];
    Batch.prototype.submit = function (connection) {
      send();
      return submit.call(this, connection);
    };
  }

  async spent(act: () => Promise<unknown>): Promise<Spent> {
    const [statements, exchanges] = [this.#statements, this.#exchanges];
    await act();
    return { exchanges: this.#exchanges - exchanges, statements: this.#statements - statements };
  }

  /** Returns the lowest count of several runs: some requests also reload the business or the credential. */
  async fewest(act: () => Promise<unknown>, runs = 5): Promise<number> {
    let least = Infinity;
    for (let i = 0; i < runs; i++) least = Math.min(least, (await this.spent(act)).statements);
    return least;
  }

  stop(): void {
    Batch.prototype.handleCommandComplete = this.#complete;
    Batch.prototype.submit = this.#submit;
  }
}
