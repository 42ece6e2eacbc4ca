/** What a move needs of the installation beside two databases, and what it tells while it runs. */
import type pg from 'pg';
import type { Accounts } from '../../../kernel/base/archive/accounts.ts';
import type { BusinessNames } from '../../../kernel/api/cell-declarations.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Table } from '../../../kernel/base/db/table.ts';

export interface Around {
  /** connection strings of the owners of the tables: of the cell where it lives, and of the other one */
  readonly from: string;
  readonly to: string;
  readonly business: number;
  /** the cell that it lives in, and the one that it moves to */
  readonly own: number;
  readonly cell: number;
  /** what the owners say of their tables */
  readonly tables: ReadonlyMap<string, Table>;
  readonly accounts: Accounts;
  readonly names: {
    /** of the business, in the role of the transaction; null: there is none */
    of(client: pg.ClientBase, business: number): Promise<BusinessNames | null>;
    /** which of them another business here has */
    taken(client: pg.ClientBase, business: number, names: BusinessNames): Promise<string[]>;
  };
  /**
   * What areas have under way outside of transactions: a SELECT of one number for each, of the business `$1`. Nothing
   * new begins while it settles.
   */
  readonly underWay: ReadonlyMap<string, string>;
  readonly box: SecretBox;
  /** where files are kept in both cells; null: in one bucket. `to`: null: it can't be reached from here */
  readonly files: { readonly from: FileStore; readonly to: FileStore | null } | null;
  readonly say: (text: string) => void;
  /** Called after each step, which is then kept whatever happens. */
  readonly after?: (step: Step) => Promise<void>;
}

/** In their order. From `fenced` to `live`, nobody can work with the business. */
export const STEPS = ['begun', 'copied', 'followed', 'settled', 'fenced', 'completed', 'left', 'live'] as const;
export type Step = (typeof STEPS)[number];
