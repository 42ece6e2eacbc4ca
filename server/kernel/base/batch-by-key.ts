/**
 * Batches calls that would wait for each other anyway. While one batch of a key runs, later calls of that key wait and
 * become the next batch: calls for idle keys run without delay, contended ones share a transaction. The order of
 * arrival is kept.
 */
export class BatchByKey<Item, Result> {
  readonly #run: (key: string, items: Item[]) => Promise<(Result | Error)[]>;
  readonly #most: number;
  readonly #waiting = new Map<string, { item: Item; resolve: (r: Result) => void; reject: (e: unknown) => void }[]>();

  /** `run` returns a result for each item, in order; `most` limits a batch. */
  constructor(run: (key: string, items: Item[]) => Promise<(Result | Error)[]>, most = 100) {
    this.#run = run;
    this.#most = most;
  }

  /** Number of keys with calls in progress. */
  get busy(): number {
    return this.#waiting.size;
  }

  call(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const queue = this.#waiting.get(key);
      if (queue) {
        queue.push(entry);
        return;
      }
      this.#waiting.set(key, [entry]);
      void this.#drain(key);
    });
  }

  async #drain(key: string): Promise<void> {
    const queue = this.#waiting.get(key)!;
    while (queue.length > 0) {
      const batch = queue.splice(0, this.#most);
      try {
        const results = await this.#run(
          key,
          batch.map((b) => b.item),
        );
        batch.forEach((b, i) => {
          const result = results[i];
          if (result instanceof Error || i >= results.length)
            b.reject(result ?? new Error(`the batch of ${key} has no answer for this call`));
          else b.resolve(result);
        });
      } catch (error) {
        for (const b of batch) b.reject(error);
      }
    }
    this.#waiting.delete(key);
  }
}
