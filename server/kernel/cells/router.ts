/** Finds the cell that a request is for, from the names that it says. */
import { CellAway } from './ring.ts';
import type { Directory } from './directory.ts';

export type Place =
  /** of this cell, or of none that is known: it is answered here */
  | { readonly kind: 'here' }
  | { readonly kind: 'cell'; readonly cell: number }
  /** a cell that has told nothing yet may know, or the business is moving at this moment */
  | { readonly kind: 'unknown' };

export const HERE: Place = { kind: 'here' };
const UNKNOWN: Place = { kind: 'unknown' };

export class Router {
  readonly #own: number;
  readonly #directory: Pick<Directory, 'cellOf' | 'hasLeft' | 'hear' | 'hearOwn' | 'isLeaving' | 'isWhole'>;
  readonly #cells: ReadonlySet<number>;
  readonly #seek: (name: string) => Promise<number | null>;

  /** `seek`: the cell that has a name which cells don’t tell each other; null: none. @throws CellAway */
  constructor(
    own: number,
    others: readonly number[],
    directory: Pick<Directory, 'cellOf' | 'hasLeft' | 'hear' | 'hearOwn' | 'isLeaving' | 'isWhole'>,
    seek: (name: string) => Promise<number | null>,
  ) {
    this.#own = own;
    this.#cells = new Set([own, ...others]);
    this.#directory = directory;
    this.#seek = seek;
  }

  /** The first name that is known decides. What nobody knows may have been made just now: then all cells are asked. */
  async find(names: readonly string[]): Promise<Place> {
    if (names.length === 0) return HERE;
    const known = this.#first(names);
    if (known !== null) return known;
    // A host that no cell knows is another name of the installation, and asks for nothing that could be new.
    if (names.some((name) => !name.startsWith('host:'))) {
      await this.#directory.hear();
      const now = this.#first(names);
      if (now !== null) return now;
      const found = await this.#sought(names);
      if (found !== null) return found;
    }
    return this.#directory.isWhole ? HERE : UNKNOWN;
  }

  /**
   * Of a request that another cell sent here. Only what this cell knows by itself sends it on: two that remember
   * something else would send it to and fro.
   */
  findOn(names: readonly string[]): Place {
    if (names.some((one) => this.#directory.isLeaving(one))) return UNKNOWN;
    const name = names.find((one) => this.#directory.hasLeft(one));
    return name === undefined ? HERE : this.#at(this.#directory.cellOf(name)!);
  }

  /** Whether one of these names, which were of this cell a moment ago, is of a business that has gone or is about to go. */
  async hasLeftSince(names: readonly string[]): Promise<boolean> {
    await this.#directory.hearOwn();
    return this.findOn(names).kind !== 'here';
  }

  async #sought(names: readonly string[]): Promise<Place | null> {
    try {
      for (const name of names) {
        const found = await this.#seek(name);
        if (found !== null) return this.#at(found);
      }
      return null;
    } catch (error) {
      if (error instanceof CellAway) return UNKNOWN;
      throw error;
    }
  }

  #first(names: readonly string[]): Place | null {
    for (const name of names) {
      const cell = name.startsWith('cell:') ? Number(name.slice(5)) : this.#directory.cellOf(name);
      if (this.#directory.isLeaving(name)) return UNKNOWN;
      if (cell !== null && this.#cells.has(cell)) return this.#at(cell);
    }
    return null;
  }

  #at(cell: number): Place {
    return cell === this.#own ? HERE : { kind: 'cell', cell };
  }
}
