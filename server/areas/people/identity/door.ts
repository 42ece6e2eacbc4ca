/** The context of account functions that prove something: they hash outside of transactions, so they open their own. */
import { tellNow } from './cells/news.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { OutsideCall } from '../../../kernel/api/calls.ts';
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

export interface DoorOptions {
  readonly db: Database;
  readonly installation: Installation;
  readonly registry: Declarations;
  readonly now: () => number;
}

export const accountDoor = ({ db, installation, registry, now }: DoorOptions): AccountDoor => {
  const { box, passwords, cells } = installation;
  return {
    ...passwords,
    db,
    box,
    registry,
    now,
    cells,
    changing: async (why, work) => {
      const result = await db.acrossTenants(why, work);
      if (cells !== null) await tellNow({ db, box, cells, now });
      return result;
    },
  };
};

/** Returns the door of a request, for endpoints that open their own transactions. */
export const doorOf = ({
  db,
  installation,
  registry,
  now,
}: Pick<OutsideCall, 'db' | 'installation' | 'registry' | 'now'>): AccountDoor =>
  accountDoor({ db, installation, registry, now: () => now });

/** The origin of a request, as far as it is recorded. */
export interface Whence {
  /** IP address */
  readonly address: string;
  /** user agent of the browser */
  readonly agent: string;
  /** the business that owns the page or application; null: the log-in page of the installation */
  readonly providerId: number | null;
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
