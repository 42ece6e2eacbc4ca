/** Accounts in other cells: requested when this cell needs one, and kept as a copy that is updated. */
import { CellAway, type OtherCells } from '../../kernel/work/unit/other-cells.ts';
import { readState, takeState, type AccountKey, type AccountState } from '../../areas/people/identity/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { CellMeans } from '../cells/question.ts';
import type { Database, Transaction } from '../../kernel/base/db/database.ts';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

/** Access to the other cells; states of accounts travel sealed. */
export interface Network {
  readonly cells: OtherCells;
  readonly box: SecretBox;
}

/** This cell. */
export interface Here {
  readonly db: Database;
  readonly now: () => number;
}

const PURPOSE = 'account between cells';

/** Seals the state, because it contains credentials that nobody may read in transit. */
export const sealState = (box: SecretBox, state: AccountState): string => box.seal(PURPOSE, JSON.stringify(state));
export const openState = (box: SecretBox, sealed: string): AccountState => JSON.parse(box.open(PURPOSE, sealed));

/** Answers the question `account`. */
export async function answerAccount(
  { db, installation: { box } }: CellMeans,
  which: AccountKey,
): Promise<{ sealed: string | null }> {
  const state = await db.lookingAcross('an account belongs to no business', (tx) => readState(tx, which));
  return { sealed: state && sealState(box, state) };
}

interface Received {
  readonly states: readonly { readonly cell: number; readonly state: AccountState }[];
  /** cells that did not respond */
  readonly away: readonly number[];
}

async function askFor({ cells, box }: Network, which: AccountKey, of: readonly number[]): Promise<Received> {
  const answers = await Promise.allSettled(
    of.map((cell) => cells.ask<{ sealed: string | null }>(cell, 'account', which)),
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
  if (clash)
    await tx.run(
      sql`INSERT INTO account_clash (user_id, cell, other_id, over) SELECT id, ${cell}, ${clash.otherId}, ${clash.over}
        FROM user_account WHERE id = ${clash.userId} ON CONFLICT DO NOTHING`,
    );
}

/**
 * Updates this cell with the state that the other cells, or those in `of`, have of an account. Returns the cells that
 * did not respond.
 */
export async function bring(
  network: Network,
  { db, now }: Here,
  which: AccountKey,
  of = network.cells.others,
): Promise<readonly number[]> {
  const { states, away } = await askFor(network, which, of);
  if (states.length > 0)
    await db.acrossTenants('an account of another cell is copied', async (tx) => {
      for (const { cell, state } of states) await take(tx, cell, state, now());
    });
  return away;
}

/** Does this within a transaction across tenants. @throws CellAway */
export async function bringWithin(tx: Transaction, network: Network, which: AccountKey, now: number): Promise<void> {
  const { states, away } = await askFor(network, which, network.cells.others);
  if (away.length > 0) throw new CellAway(away[0], 'whether it has an account is not known');
  for (const { cell, state } of states) await take(tx, cell, state, now);
}
