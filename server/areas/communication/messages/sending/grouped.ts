/** Combines calls that wait for the same kind of transaction: calls that arrive while one runs share the next. */
export class Grouped<I, O> {
  readonly #run: (items: readonly I[]) => Promise<readonly O[]>;
  #waiting: { item: I; resolve: (result: O) => void; reject: (error: unknown) => void }[] = [];
  #running = false;

  /** `run` returns one result for each item, in order. */
  constructor(run: (items: readonly I[]) => Promise<readonly O[]>) {
    this.#run = run;
  }

  call(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const results = await this.#run(group.map((g) => g.item));
        group.forEach(({ resolve }, i) => resolve(results[i]));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = false;
  }
}
