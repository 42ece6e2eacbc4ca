/** What the functions of accounts that prove something enter by: they hash outside of transactions, so they open their own. */
import type { Database } from '../../kernel/db/database.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { PasswordHasher } from './password-hash.ts';

export interface AccountDoor {
  readonly db: Database;
  readonly box: SecretBox;
  readonly hasher: PasswordHasher;
  /** epoch ms */
  readonly now: () => number;
  /** how often a password is found in known leaks; 0 where nobody is asked */
  readonly breached: (password: string) => Promise<number>;
}

/** Where somebody is, as far as it is noted. */
export interface Whence {
  /** IP address */
  readonly address: string;
  /** what the browser calls itself */
  readonly agent: string;
  /** the business whose page or application it is */
  readonly providerId: number;
  /** name of the application, where one acts */
  readonly application?: string | null;
}
