/** Access to businesses and accounts of people, which their owners implement for the kernel. */
import type pg from 'pg';
import type { Resets } from './arriving.ts';
import type { SecretBox } from '../secret-box.ts';

/** An account. Its secret values are plain text in `secrets`; in the file they are sealed with the passphrase. */
export interface ArchivedAccount {
  readonly id: number;
  readonly secrets: string;
  readonly [column: string]: unknown;
}

export interface ArchivedBusiness {
  readonly name: string;
  /** creation time, as the database prints it */
  readonly created: string;
}

export interface Accounts {
  /** table of the accounts */
  readonly table: string;
  /** the names in each line, without `secrets` */
  readonly columns: readonly string[];
  /** returns the accounts with these ids, in the order of their ids */
  read(client: pg.ClientBase, ids: readonly number[], box: SecretBox): Promise<readonly ArchivedAccount[]>;
  /**
   * Checks a line.
   * @throws ArchiveDamaged if it cannot be an account
   */
  check(account: Readonly<Record<string, unknown>>): void;
  /**
   * Adds an account from elsewhere in this installation, or finds the one with the same email address, which stays
   * unchanged. Returns its id here.
   */
  take(client: pg.ClientBase, account: ArchivedAccount, box: SecretBox): Promise<number>;
  /**
   * Adds an account from a file, with an email address that nobody has confirmed here; or finds an existing one, as
   * above. `known`: it already existed here.
   */
  bring(
    client: pg.ClientBase,
    account: ArchivedAccount,
    box: SecretBox,
    { resets, now }: { readonly resets: Resets; readonly now: number },
  ): Promise<{ readonly id: number; readonly known: boolean }>;
}
