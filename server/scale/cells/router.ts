/** Finds the cell of a request, from the names in it. */
import { CellAway } from '../../kernel/work/unit/other-cells.ts';
import type { Directory } from './directory.ts';

export type Place =
  /** belongs to this cell, or to none that is known: it is served here */
  | { readonly kind: 'here' }
  | { readonly kind: 'cell'; readonly cell: number }
  /** a cell that has not reported yet may know, or the business is moving right now */
  | { readonly kind: 'unknown' };

/** The parts of the directory that are used. */
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
  readonly #locate: (name: string) => Promise<number | null>;

  /** `locate`: finds the cell with a name that cells don't share with each other; null: none. @throws CellAway */
  constructor(
    own: number,
    others: readonly number[],
    directory: Known,
    locate: (name: string) => Promise<number | null>,
  ) {
    this.#own = own;
    this.#cells = new Set([own, ...others]);
    this.#directory = directory;
    this.#locate = locate;
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
    // A host that no cell knows is another name of the installation, and not worth asking about.
    const mayBeNew = told.some((name) => !name.startsWith('host:'));
    if (mayBeNew) await this.#directory.hear();
    const found = this.#first(names) ?? (mayBeNew ? await this.#sought(names) : null);
    return found ?? (this.#directory.isWhole ? HERE : UNKNOWN);
  }

  /**
   * Finds the cell of a request that another cell forwarded. Only this cell's own data forwards it again: two cells
   * with different caches would send it back and forth.
   */
  findOn(names: readonly string[]): Place {
    if (names.some((one) => this.#directory.isLeaving(one))) return UNKNOWN;
    const name = names.find((one) => this.#directory.hasLeft(one));
    return name === undefined ? HERE : this.#at(this.#directory.cellOf(name)!);
  }

  /**
   * Returns true if the business of these names may have been absent at some time since the request was admitted, by
   * `performance.now()`: it was leaving, had left, or hadn't arrived yet.
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
        const found = await this.#locate(name);
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
