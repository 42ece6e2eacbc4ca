/** The parts of the installation that a move needs in addition to two databases, and the progress that it reports. */
import type pg from 'pg';
import type { Accounts } from '../../../kernel/base/archive/accounts.ts';
import type { BusinessNames } from '../../../kernel/api/cell-declarations.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Table } from '../../../kernel/base/db/table.ts';

export interface Around {
  /** connection strings of the owners of the tables: in its own cell, and in the other one */
  readonly from: string;
  readonly to: string;
  readonly business: number;
  /** the cell that it lives in, and the one that it moves to */
  readonly own: number;
  readonly cell: number;
  /** the owners' declarations of their tables */
  readonly tables: ReadonlyMap<string, Table>;
  readonly accounts: Accounts;
  readonly names: {
    /** names of the business, in the role of the transaction; null: there is none */
    of(client: pg.ClientBase, business: number): Promise<BusinessNames | null>;
    /** which of these names another business here has */
    taken(client: pg.ClientBase, business: number, names: BusinessNames): Promise<string[]>;
  };
  /**
   * Work of areas in progress outside transactions: a SELECT of one number for each, for business `$1`. No new work
   * starts while the business settles.
   */
  readonly underWay: ReadonlyMap<string, string>;
  readonly box: SecretBox;
  /** file stores of both cells; null: both use one bucket. `to`: null: unreachable from here */
  readonly files: { readonly from: FileStore; readonly to: FileStore | null } | null;
  readonly say: (text: string) => void;
  /** Called after each step, which is then already committed. */
  readonly after?: (step: Step) => Promise<void>;
}

/** In order. From `fenced` to `live`, nobody can work with the business. */
export const STEPS = ['begun', 'copied', 'followed', 'settled', 'fenced', 'completed', 'left', 'live'] as const;
export type Step = (typeof STEPS)[number];
