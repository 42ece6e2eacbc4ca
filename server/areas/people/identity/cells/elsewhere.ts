/** Accounts that other cells have: asked for where this cell needs one, and kept as a copy that learns of changes. */
import { CellAway, type OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import { emailKey } from '../rules/email-key.ts';
import { noteClash, readState, takeState, type AccountState, type Which } from './state.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { CellMeans } from '../../../../kernel/api/cell-declarations.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

/** As much of a door as asking other cells takes. */
export interface AmongCells {
  readonly db: Database;
  readonly box: SecretBox;
  /** null: there are no others, and nothing is asked */
  readonly cells: OtherCells | null;
  readonly now: () => number;
}

const PURPOSE = 'account between cells';

/** It holds what lets somebody in, so that it is nobody's to read on its way. */
export const sealState = (box: SecretBox, state: AccountState): string => box.seal(PURPOSE, JSON.stringify(state));
export const openState = (box: SecretBox, sealed: string): AccountState => JSON.parse(box.open(PURPOSE, sealed));

/** The answer to `account`. */
export async function answerAccount(
  { db, installation: { box } }: CellMeans,
  which: Which,
): Promise<{ sealed: string | null }> {
  const state = await db.lookingAcross('an account belongs to no business', (tx) => readState(tx, which));
  return { sealed: state && sealState(box, state) };
}

/** What is not known while a cell is away is never taken for no. */
export const cellAway = (): Problem =>
  new Problem(
    'unavailable',
    'A part of the service can’t be reached right now. Try again in a moment.',
    {},
    { 'retry-after': '2' },
  );

/** @throws Problem `unavailable` for a cell that does not answer */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof CellAway ? cellAway() : error;
  }
}

interface Told {
  readonly states: readonly { readonly cell: number; readonly state: AccountState }[];
  /** cells that did not answer */
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

/** Takes what a cell said of an account; what can't be taken is noted for the operator. */
export async function take(tx: Transaction, cell: number, state: AccountState, now: number): Promise<void> {
  const clash = await takeState(tx, state, now);
  if (clash) await noteClash(tx, cell, clash);
}

/**
 * Brings this cell in step with what the others, or those of `of`, have of an account. Nothing is asked where there are
 * no others. Returns those that did not answer.
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
 * The same before an account of this address is made, in every cell.
 * @throws Problem `unavailable`: whether another cell has one is not known while one is away
 */
export async function bringAddress(door: AmongCells, email: string): Promise<void> {
  if ((await bringAccount(door, { email: emailKey(email) })).length > 0) throw cellAway();
}

/**
 * The same within a transaction across tenants.
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
