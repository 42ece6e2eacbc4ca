/** Accounts and sessions in other cells, as this area needs them. `server/scale` provides them. */
import { cellAway, CellPort, type OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import { emailKey } from './rules/email-key.ts';
import type { AccountKey } from './accounts/state.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';
import type { Session } from './log-in/sessions.ts';
import type { Whence } from './door.ts';

/** The part of a door that is needed to ask other cells. */
export interface AmongCells {
  readonly db: Database;
  /** null: there are no others, and nothing is requested */
  readonly cells: OtherCells | null;
  readonly now: () => number;
}

/** A session by the hash of its secret, or by its id. */
export type SessionKey = { readonly hash: string } | { readonly id: number };

/** Sessions of a person; `away`: some cells could not be asked. */
export interface SessionsElsewhere {
  readonly sessions: readonly Session[];
  readonly away: boolean;
}

export interface AccountsElsewhere {
  /**
   * Updates this cell's copy of an account with the state that the other cells have. Returns the cells that did not
   * respond.
   */
  bring(door: AmongCells, which: AccountKey): Promise<readonly number[]>;
  /** Does this within a transaction across tenants. @throws CellAway */
  bringWithin(tx: Transaction, which: AccountKey, now: number): Promise<void>;
  /** Sends the other cells the changes of accounts, before the response to the latest change. */
  sendChanges(door: AmongCells): Promise<void>;
  /**
   * Returns a session of another cell; null: it has ended.
   * @throws Problem `unavailable` while that cell is unreachable
   */
  findSession(door: AmongCells, cell: number, key: SessionKey): Promise<Session | null>;
  /** Ends a session; returns true if the cell had it. @throws CellAway */
  endSession(cell: number, session: Pick<Session, 'userId' | 'id'>, whence: Whence): Promise<boolean>;
  /** Ends the session with this secret, if there is one. @throws CellAway */
  leaveSession(cell: number, hash: string, whence: Whence): Promise<void>;
  /** Returns the person's sessions in other cells. */
  listSessions(userId: number): Promise<SessionsElsewhere>;
}

export const accountsElsewhere = new CellPort<AccountsElsewhere>('accounts');

/** Updates this cell's copy of an account, if there are other cells. Returns the cells that did not respond. */
export const bringAccount = async (door: AmongCells, which: AccountKey): Promise<readonly number[]> =>
  door.cells === null ? [] : door.cells.at(accountsElsewhere).bring(door, which);

/**
 * Updates all cells' state of this address before an account is created for it.
 * @throws Problem `unavailable` while a cell is unreachable: it might have an account
 */
export async function bringAddress(door: AmongCells, email: string): Promise<void> {
  if ((await bringAccount(door, { email: emailKey(email) })).length > 0) throw cellAway();
}

/** Does this within a transaction across tenants. @throws CellAway */
export const bringWithin = async (
  tx: Transaction,
  { cells }: Pick<AmongCells, 'cells'>,
  which: AccountKey,
  now: number,
): Promise<void> => cells?.at(accountsElsewhere).bringWithin(tx, which, now);
