/**
 * The other cells of the installation as the service sees them: their numbers, and a way to ask them. An installation
 * with one database has none.
 */
import { Problem } from '../../base/problem.ts';
import { sql, type Sql } from '../../base/db/sql.ts';

export interface OtherCells {
  /** number of this cell */
  readonly own: number;
  /** numbers of the other cells, in order */
  readonly others: readonly number[];
  /** Returns what the wing provides for the port of an area. */
  at<Provided>(port: CellPort<Provided>): Provided;
  /** Asks a cell one of the declared questions. @throws CellAway */
  ask<Answer>(cell: number, question: string, asked: unknown, waitMs?: number): Promise<Answer>;
  /** Asks all other cells in parallel. @throws CellAway if one of them doesn't respond */
  askAll<Answer>(question: string, asked: unknown, waitMs?: number): Promise<Answer[]>;
}

/** Needs of an area concerning other cells: the area declares the functions, and `server/scale` provides them. */
export class CellPort<Provided> {
  readonly name: string;
  declare readonly provided: Provided;
  constructor(name: string) {
    this.name = name;
  }
}

/** Thrown if a cell did not respond and its knowledge is needed. */
export class CellAway extends Error {
  override name = 'CellAway';
  readonly cell: number;
  constructor(cell: number, why: string) {
    super(`cell ${cell} does not answer: ${why}`);
    this.cell = cell;
  }
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

/**
 * Returns the first result, in order, of several cells that were asked in parallel. `away`: one that didn't respond;
 * null: all did
 */
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

/**
 * Returns the first result like `firstAnswer`, but insists on certainty. Null: no cell has one. @throws CellAway if
 * there is none and a cell doesn't respond
 */
export async function firstToKnow<T>(asked: readonly Promise<T | null>[]): Promise<T | null> {
  const { found, away } = await firstAnswer(asked);
  if (found === null && away) throw away;
  return found;
}

/** Name of the question for names that are already taken. */
export const TAKEN = 'taken_names';

/**
 * Returns the names in other cells that begin with `prefix`. Two businesses that take the same name at the same instant
 * both get it: `rollcall doctor` finds that. @throws CellAway if a cell doesn't respond
 */
export const takenElsewhere = async (cells: OtherCells | null, prefix: string): Promise<readonly string[]> =>
  cells === null ? [] : (await cells.askAll<string[]>(TAKEN, { prefix })).flat();

export const isTakenElsewhere = async (cells: OtherCells | null, name: string): Promise<boolean> =>
  (await takenElsewhere(cells, name)).includes(name);

/**
 * A condition that is false while a business is about to move: then nothing may begin that continues outside of
 * transactions. `provider`: SQL for the id of the business.
 */
export const mayBegin = ({ cells }: { readonly cells: OtherCells | null }, provider: Sql): Sql =>
  cells === null ? sql`true` : sql`${provider} <> ALL (SELECT m.provider_id FROM cell_move m WHERE m.settles)`;
