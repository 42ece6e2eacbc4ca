/** A cache with a limit: the oldest entry makes room. Keys may come from callers, so it must not grow. */
export class Bounded<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#entries.size >= this.#limit) this.#entries.delete(this.#entries.keys().next().value!);
    const value = make();
    this.#entries.set(key, value);
    return value;
  }
}
