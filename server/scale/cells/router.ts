/** Finds the cell that a request is for, from the names that it says. */
import { CellAway } from '../../kernel/work/unit/other-cells.ts';
import type { Directory } from './directory.ts';

export type Place =
  /** of this cell, or of none that is known: it is answered here */
  | { readonly kind: 'here' }
  | { readonly kind: 'cell'; readonly cell: number }
  /** a cell that has told nothing yet may know, or the business is moving at this moment */
  | { readonly kind: 'unknown' };

/** What the directory is asked. */
type Known = Pick<
  Directory,
  'cellOf' | 'hasLeft' | 'hasMovedSince' | 'hear' | 'hearOwn' | 'isLeaving' | 'isLivingHere' | 'isWhole'
>;

export const HERE: Place = { kind: 'here' };
const UNKNOWN: Place = { kind: 'unknown' };

export class Router {
  readonly #own: number;
  readonly #directory: Known;
  readonly #cells: ReadonlySet<number>;
  readonly #seek: (name: string) => Promise<number | null>;

  /** `seek`: the cell that has a name which cells don’t tell each other; null: none. @throws CellAway */
  constructor(
    own: number,
    others: readonly number[],
    directory: Known,
    seek: (name: string) => Promise<number | null>,
  ) {
    this.#own = own;
    this.#cells = new Set([own, ...others]);
    this.#directory = directory;
    this.#seek = seek;
  }

  /**
   * The first name that is known decides. What nobody knows may have been made just now: then all cells are asked, also
   * where a session or a token names the cell that gave it, which has nothing of a business that lives elsewhere.
   */
  async find(names: readonly string[]): Promise<Place> {
    if (names.length === 0) return HERE;
    const told = names.filter((name) => !name.startsWith('cell:'));
    const known = this.#first(told);
    if (known !== null) return known;
    // A host that no cell knows is another name of the installation, and asks for nothing that could be new.
    const mayBeNew = told.some((name) => !name.startsWith('host:'));
    if (mayBeNew) await this.#directory.hear();
    const found = this.#first(names) ?? (mayBeNew ? await this.#sought(names) : null);
    return found ?? (this.#directory.isWhole ? HERE : UNKNOWN);
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

  /**
   * Whether the business of these names may not have lived here at some moment since the request was let in, by
   * `performance.now()`: it was leaving, had left, or hadn’t arrived yet.
   */
  async mayHaveBeenAway(names: readonly string[], since: number): Promise<boolean> {
    await this.#directory.hearOwn();
    if (this.#directory.hasMovedSince(since)) return true;
    const name = names.find((one) => this.#directory.cellOf(one) !== null);
    return name !== undefined && !this.#directory.isLivingHere(name);
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
