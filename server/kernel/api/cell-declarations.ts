/**
 * Declarations of areas for installations of several cells, each with its own database. Installations with one database
 * use none of them.
 */
import type { Database } from '../base/db/database.ts';

/**
 * A name with which requests identify their business. Triggers store it in `cell_name`, so that other cells learn about
 * changes, and no table has to be searched for it.
 */
export interface CellName {
  /** for example `slug`: the names are like `slug:harbour` */
  readonly kind: string;
  readonly table: string;
  /** columns that the name is composed of, in addition to `provider_id` */
  readonly columns: readonly string[];
  /** SQL text over the alias of the row; null if the row has no such name */
  readonly name: (row: string) => string;
}

/**
 * A function that returns the name in an address, for example `slug:harbour`; null if there is none that this area
 * knows.
 */
export type NameInAddress = (path: string, query: URLSearchParams) => string | null;

/**
 * Returns a function that finds the name of the business in addresses of this form. The first group of `form` is its
 * id.
 */
export const businessInPath =
  (form: RegExp) =>
  (path: string): string | null => {
    const id = form.exec(path)?.[1];
    return id === undefined ? null : `business:${id}`;
  };

/**
 * A kind of name with too many values to list for the other cells, such as the names of messages: a cell that doesn't
 * know one asks the others.
 */
export interface CellLocator {
  /** for example `message`: the names are like `message:abc` */
  readonly kind: string;
  /** true if a business of this cell has it */
  readonly isHere: (db: Database, value: string) => Promise<boolean>;
}

/** The names by which a business is found. Each is unique in the installation. */
export interface BusinessNames {
  readonly name: string;
  readonly slug: string | null;
  /** null: no verified domain */
  readonly domain: string | null;
}
