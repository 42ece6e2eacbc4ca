/** The context of account functions that prove something: they hash outside of transactions, so they open their own. */
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';
import type { Passwords } from '../../../kernel/base/passwords/index.ts';
import type { Declarations } from '../../../kernel/work/unit/work.ts';
import type { OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

export interface AccountDoor extends Passwords {
  readonly db: Database;
  readonly box: SecretBox;
  /** declarations of the areas: those with records of people declare how these are claimed */
  readonly registry: Declarations;
  /** epoch milliseconds */
  readonly now: () => number;
  /** the other cells of the installation; null: there are none */
  readonly cells: OtherCells | null;
  /** like `db.acrossTenants`, for changes of an account: the reachable other cells get the change before it returns */
  readonly changing: <T>(why: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** The origin of a request, as far as it is recorded. */
export interface Whence {
  /** IP address */
  readonly address: string;
  /** user agent of the browser */
  readonly agent: string;
  /** the business that owns the page or application; null: the log-in page of the installation */
  readonly providerId: number | null;
  /** language of the page, for the emails that it causes, for example `fr` or `fr-CA`; absent in applications */
  readonly locale?: string;
  /** name of the application, if one acts */
  readonly application?: string | null;
}

/** At the pages of a business, or in one of its applications. */
export type AtBusiness = Whence & { readonly providerId: number };

/**
 * `wait`: too many guesses; a correct password gets this too. `busy`: too many passwords at the same time; the response
 * is 503.
 */
export type NotNow = { readonly outcome: 'wait'; readonly seconds: number } | { readonly outcome: 'busy' };
