/**
 * What declarations refer to before it is known: what ports are filled with, which filters a list has, which feed items
 * there are. A `Registry` says it once it has gathered all areas; the next one says it anew. This is the only state of
 * modules that a registry sets.
 */
export class Deferred<T> {
  readonly #what: string;
  #said: { readonly value: T } | null = null;

  /** `what` is not known before: `what narrows /customers` */
  constructor(what: string) {
    this.#what = what;
  }

  /** For the registry. */
  say(value: T): void {
    this.#said = { value };
  }

  /** @throws Error before a registry has said it */
  get value(): T {
    if (!this.#said) throw new Error(`nobody has said yet ${this.#what}: make a Registry of the areas`);
    return this.#said.value;
  }

  /** The same, or null before a registry has said it. */
  get soFar(): T | null {
    return this.#said?.value ?? null;
  }
}
