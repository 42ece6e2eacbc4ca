/** What the kernel must be told of businesses and of the accounts of people: their owners say how they are read and taken. */
import type pg from 'pg';
import type { Resets } from './arriving.ts';
import type { SecretBox } from '../secret-box.ts';

/** What is secret is in `secrets`, as text: in the file it is sealed with the passphrase. */
export interface ArchivedAccount {
  readonly id: number;
  readonly secrets: string;
  readonly [column: string]: unknown;
}

export interface ArchivedBusiness {
  readonly name: string;
  /** when it was made, as the database prints it */
  readonly created: string;
}

export interface Accounts {
  /** where they are */
  readonly table: string;
  /** the names in each line, without `secrets` */
  readonly columns: readonly string[];
  /** accounts with these ids, in the order of their ids */
  read(client: pg.ClientBase, ids: readonly number[], box: SecretBox): Promise<readonly ArchivedAccount[]>;
  /** @throws ArchiveDamaged for a line that can be nobody's account */
  check(account: Readonly<Record<string, unknown>>): void;
  /**
   * Adds an account as it is at another place of this installation, or finds the one with the same email address, which stays
   * as it is. Returns the id that it has here.
   */
  take(client: pg.ClientBase, account: ArchivedAccount, box: SecretBox): Promise<number>;
  /**
   * Adds an account from a file, whose address nobody has confirmed here; or finds one, as above. `known`: it was here before.
   */
  bring(
    client: pg.ClientBase,
    account: ArchivedAccount,
    box: SecretBox,
    { resets, now }: { readonly resets: Resets; readonly now: number },
  ): Promise<{ readonly id: number; readonly known: boolean }>;
}
