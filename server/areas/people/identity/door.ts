/**
 * What the functions of accounts that prove something enter by: they hash outside of transactions, so they open their
 * own.
 */
import { tellNow } from './cells/news.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { OutsideCall } from '../../../kernel/api/calls.ts';
import type { Passwords } from '../../../kernel/base/passwords/index.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

export interface AccountDoor extends Passwords {
  readonly db: Database;
  readonly box: SecretBox;
  /** what the areas declare: those that keep records of people give them away */
  readonly registry: Registry;
  /** epoch ms */
  readonly now: () => number;
  /** the other cells of the installation; null: there are none */
  readonly cells: OtherCells | null;
  /**
   * As `db.acrossTenants`, for what changes an account: the other cells hear of it before it returns, those that are not
   * away.
   */
  readonly changing: <T>(why: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

export interface DoorOptions {
  readonly db: Database;
  readonly installation: Installation;
  readonly registry: Registry;
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

/** The door of a request, for endpoints that open their own transactions. */
export const doorOf = ({
  db,
  installation,
  registry,
  now,
}: Pick<OutsideCall, 'db' | 'installation' | 'registry' | 'now'>): AccountDoor =>
  accountDoor({ db, installation, registry, now: () => now });

/** Where somebody is, as far as it is noted. */
export interface Whence {
  /** IP address */
  readonly address: string;
  /** what the browser calls itself */
  readonly agent: string;
  /** the business whose page or application it is; null: at the log-in of the installation */
  readonly providerId: number | null;
  /** name of the application, where one acts */
  readonly application?: string | null;
}

/** At the pages of a business, or with an application of its own. */
export type AtBusiness = Whence & { readonly providerId: number };

/**
 * `wait`: guessed too often; a right password gets this too. `busy`: too many passwords at once, to be answered as 503.
 */
export type NotNow = { readonly outcome: 'wait'; readonly seconds: number } | { readonly outcome: 'busy' };
