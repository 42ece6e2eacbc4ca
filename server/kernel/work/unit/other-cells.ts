/**
 * What the service knows of the other cells of its installation: their numbers, and that they can be asked. An
 * installation with one database has none.
 */
import { sql, type Sql } from '../../base/db/sql.ts';

export interface OtherCells {
  /** the number of this cell */
  readonly own: number;
  /** the other cells, in their order */
  readonly others: readonly number[];
  /** The answer to one of the questions that areas declare. @throws CellAway */
  ask<Answer>(cell: number, question: string, asked: unknown, waitMs?: number): Promise<Answer>;
  /** The answers of all other cells, side by side. @throws CellAway if one of them doesn't answer */
  askAll<Answer>(question: string, asked: unknown, waitMs?: number): Promise<Answer[]>;
}

/** A cell did not answer, so what only it knows can't be said now. */
export class CellAway extends Error {
  override name = 'CellAway';
  readonly cell: number;
  constructor(cell: number, why: string) {
    super(`cell ${cell} does not answer: ${why}`);
    this.cell = cell;
  }
}

/** What the first of several cells knows that were asked side by side. `away`: one that didn't answer; null: all did */
export async function firstAnswer<T>(
  asked: readonly Promise<T | null>[],
): Promise<{ readonly found: T | null; readonly away: CellAway | null }> {
  let [found, away]: [T | null, CellAway | null] = [null, null];
  for (const answer of await Promise.allSettled(asked)) {
    if (answer.status === 'fulfilled') found ??= answer.value;
    else if (answer.reason instanceof CellAway) away ??= answer.reason;
    else throw answer.reason;
  }
  return { found, away };
}

/** The same where it has to be known. Null: no cell knows of it. @throws CellAway if one that doesn't answer may know */
export async function firstToKnow<T>(asked: readonly Promise<T | null>[]): Promise<T | null> {
  const { found, away } = await firstAnswer(asked);
  if (found === null && away) throw away;
  return found;
}

/** The question for names that are taken. */
export const TAKEN = 'taken_names';

/**
 * Names of other cells that begin so. Two businesses that take one at the same instant both get it: `rollcall doctor` finds
 * that. @throws CellAway where it can't be known now
 */
export const takenElsewhere = async (cells: OtherCells | null, prefix: string): Promise<readonly string[]> =>
  cells === null ? [] : (await cells.askAll<string[]>(TAKEN, { prefix })).flat();

export const isTakenElsewhere = async (cells: OtherCells | null, name: string): Promise<boolean> =>
  (await takenElsewhere(cells, name)).includes(name);

/**
 * Whether something may be begun for a business that goes on outside of transactions: not while it is about to move.
 * `provider`: over its id.
 */
export const mayBegin = ({ cells }: { readonly cells: OtherCells | null }, provider: Sql): Sql =>
  cells === null ? sql`true` : sql`${provider} <> ALL (SELECT m.provider_id FROM cell_move m WHERE m.settles)`;
