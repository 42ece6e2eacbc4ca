/**
 * A value that declarations refer to before it is known: items of ports, filters of a list, kinds of feed items. A
 * `Registry` sets it after gathering all areas; the next registry sets it again. This is the only module state that a
 * registry sets.
 */
export class Deferred<T> {
  readonly #what: string;
  #said: { readonly value: T } | null = null;

  /** `what` describes the value in the error: `what narrows /customers` */
  constructor(what: string) {
    this.#what = what;
  }

  /** Sets the value. For the registry. */
  say(value: T): void {
    this.#said = { value };
  }

  /**
   * The value.
   * @throws Error before a registry has set it
   */
  get value(): T {
    if (!this.#said) throw new Error(`not known before a Registry of the areas exists: ${this.#what}`);
    return this.#said.value;
  }

  /** The value, or null before a registry has set it. */
  get soFar(): T | null {
    return this.#said?.value ?? null;
  }
}
