/** No place became free in time. */
export class NoPlace extends Error {
  /** PostgreSQL's for limits of this kind; no connection was lost */
  readonly code = '53400';
}

/** A number of places, given to those who wait in the order in which they came. */
export class Places {
  #free: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number, waitMs: number) {
    this.#free = places;
    this.#waitMs = waitMs;
  }

  /**
   * Resolves to what gives the place back; call it once.
   * @throws NoPlace when none became free in time
   */
  take(): Promise<() => void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(() => this.#giveBack());
    }
    return new Promise((resolve, reject) => {
      const got = () => {
        clearTimeout(timer);
        resolve(() => this.#giveBack());
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(got);
        reject(new NoPlace('no place became free in time'));
      }, this.#waitMs);
      this.#waiting.add(got);
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
