/** Accounts in other cells: requested when this cell needs one, and kept as a copy that is updated. */
import { CellAway, type OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import { emailKey } from '../rules/email-key.ts';
import { noteClash, readState, takeState, type AccountState, type Which } from './state.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { CellMeans } from '../../../../kernel/api/cell-declarations.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

/** The part of a door that is needed to ask other cells. */
export interface AmongCells {
  readonly db: Database;
  readonly box: SecretBox;
  /** null: there are no others, and nothing is requested */
  readonly cells: OtherCells | null;
  readonly now: () => number;
}

const PURPOSE = 'account between cells';

/** Seals the state, because it contains credentials that nobody may read in transit. */
export const sealState = (box: SecretBox, state: AccountState): string => box.seal(PURPOSE, JSON.stringify(state));
export const openState = (box: SecretBox, sealed: string): AccountState => JSON.parse(box.open(PURPOSE, sealed));

/** Answers the question `account`. */
export async function answerAccount(
  { db, installation: { box } }: CellMeans,
  which: Which,
): Promise<{ sealed: string | null }> {
  const state = await db.lookingAcross('an account belongs to no business', (tx) => readState(tx, which));
  return { sealed: state && sealState(box, state) };
}

/** Returns the refusal while a cell is unreachable: a missing answer is never taken for a no. */
export const cellAway = (): Problem =>
  new Problem(
    'unavailable',
    'A part of the service can’t be reached right now. Try again in a moment.',
    {},
    { 'retry-after': '2' },
  );

/** Turns an unreachable cell into a refusal. @throws Problem `unavailable` if a cell does not respond */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof CellAway ? cellAway() : error;
  }
}

interface Told {
  readonly states: readonly { readonly cell: number; readonly state: AccountState }[];
  /** cells that did not respond */
  readonly away: readonly number[];
}

async function askFor(
  { cells, box }: Pick<AmongCells, 'cells' | 'box'>,
  which: Which,
  of: readonly number[],
): Promise<Told> {
  const answers = await Promise.allSettled(
    of.map((cell) => cells!.ask<{ sealed: string | null }>(cell, 'account', which)),
  );
  const states = answers.flatMap((answer, n) =>
    answer.status === 'fulfilled' && answer.value.sealed !== null
      ? [{ cell: of[n], state: openState(box, answer.value.sealed) }]
      : [],
  );
  return { states, away: of.filter((_, n) => answers[n].status === 'rejected') };
}

/** Applies the state of an account from another cell; if it can't be applied, records that for the operator. */
export async function take(tx: Transaction, cell: number, state: AccountState, now: number): Promise<void> {
  const clash = await takeState(tx, state, now);
  if (clash) await noteClash(tx, cell, clash);
}

/**
 * Updates this cell with the state that the other cells, or those in `of`, have of an account. Nothing is requested if
 * there are no others. Returns the cells that did not respond.
 */
export async function bringAccount(
  door: AmongCells,
  which: Which,
  of = door.cells?.others ?? [],
): Promise<readonly number[]> {
  if (of.length === 0) return [];
  const { states, away } = await askFor(door, which, of);
  if (states.length > 0)
    await door.db.acrossTenants('an account of another cell is copied', async (tx) => {
      for (const { cell, state } of states) await take(tx, cell, state, door.now());
    });
  return away;
}

/**
 * Updates all cells' state of this address before an account is created for it.
 * @throws Problem `unavailable` while a cell is unreachable: it might have an account
 */
export async function bringAddress(door: AmongCells, email: string): Promise<void> {
  if ((await bringAccount(door, { email: emailKey(email) })).length > 0) throw cellAway();
}

/**
 * Does this within a transaction across tenants.
 * @throws CellAway
 */
export async function bringWithin(
  tx: Transaction,
  { cells, box }: Pick<AmongCells, 'cells' | 'box'>,
  which: Which,
  now: number,
): Promise<void> {
  if (cells === null || cells.others.length === 0) return;
  const { states, away } = await askFor({ cells, box }, which, cells.others);
  if (away.length > 0) throw new CellAway(away[0], 'whether it has an account is not known');
  for (const { cell, state } of states) await take(tx, cell, state, now);
}
