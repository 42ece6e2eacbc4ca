/**
 * What an area is given by areas after it, which it must not import. It opens a port; they declare what they bring as a
 * property of theirs that has the name of the port; the registry fills the port before anything runs.
 */
export class Port<Brought extends { readonly name: string } = any, Filled = any> {
  readonly name: string;
  readonly #gather: (brought: readonly Brought[]) => Filled;
  #brought: readonly Brought[] | null = null;
  #filled!: Filled;

  /** `gather` makes one of all that is brought, in the order of areas. @throws Error if it does not fit together */
  constructor(name: string, gather: (brought: readonly Brought[]) => Filled) {
    this.name = name;
    this.#gather = gather;
  }

  /** For the registry. A process may have several registries of the same areas, and not of others. */
  fill(brought: readonly Brought[]): void {
    const known = this.#brought;
    if (known && (known.length !== brought.length || known.some((one, i) => one !== brought[i])))
      throw new Error(`the ${this.name} are already filled, with others`);
    const filled = known ? this.#filled : this.#gather(brought);
    this.#brought = brought;
    this.#filled = filled;
  }

  get filled(): Filled {
    if (this.#brought === null) throw new Error(`the ${this.name} are not filled: make a Registry of the areas first`);
    return this.#filled;
  }
}
