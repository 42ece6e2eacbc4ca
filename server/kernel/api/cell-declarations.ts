/**
 * What areas declare for installations of several cells, each with a database of its own. Nothing of it is used where
 * there is one.
 */
import type { Database } from '../base/db/database.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Registry } from './registry.ts';

/** What an area answers to the other cells. The body is JSON, and came from a cell of this installation. */
export interface CellQuestion<Asked = any, Answer = unknown> {
  /** as `account_by_email`; one of a name */
  readonly name: string;
  readonly answer: (means: CellMeans, asked: Asked) => Promise<Answer>;
}

export interface CellMeans {
  readonly db: Database;
  readonly registry: Registry;
  readonly installation: Installation;
  readonly now: number;
  /** the cell that asks */
  readonly from: number;
}

/**
 * A name by which requests say which business they are for. Triggers keep it in `cell_name`, so that other cells learn
 * what has changed, and no table is searched for it.
 */
export interface CellName {
  /** as `slug`: the names are `slug:harbour` */
  readonly kind: string;
  readonly table: string;
  /** columns that the name is made of, besides `provider_id` */
  readonly columns: readonly string[];
  /** SQL text over the alias of the row; null where the row has no such name */
  readonly name: (row: string) => string;
}

/** The name that an address says, as `slug:harbour`; null: none that this area knows of. */
export type NameInAddress = (path: string, query: URLSearchParams) => string | null;

/** The name of the business in addresses of this form, whose first group is its id. */
export const businessInPath =
  (form: RegExp) =>
  (path: string): string | null => {
    const id = form.exec(path)?.[1];
    return id === undefined ? null : `business:${id}`;
  };

/**
 * A kind of names that are too many to list for the other cells, such as those of messages: a cell that doesn't know one
 * asks the others.
 */
export interface CellLocator {
  /** as `message`: the names are `message:abc` */
  readonly kind: string;
  /** whether a business of this cell has it */
  readonly isHere: (db: Database, value: string) => Promise<boolean>;
}

/** The names by which a business is found. No two businesses of an installation have one of them. */
export interface BusinessNames {
  readonly name: string;
  readonly slug: string | null;
  /** null: it has none that was proven */
  readonly domain: string | null;
}
