/** Opens both databases of a move, and determines the place of the business: each database knows only its own part. */
import { End, MoveRefused } from './ends.ts';
import type { Around } from './context.ts';

export interface Ends {
  readonly from: End;
  readonly to: End;
  close(): Promise<void>;
}

/**
 * here: it lives here, and no move has left anything in the other cell; begun: it lives here, and a move to the other
 * cell has begun; between: it has left, and is not yet live there; there: it lives there
 */
export type Place = 'here' | 'begun' | 'between' | 'there';

export async function openEnds({ from, to, ...of }: Pick<Around, 'from' | 'to' | 'business' | 'names'>): Promise<Ends> {
  const source = await End.open(from, of);
  try {
    const target = await End.open(to, of);
    return {
      from: source,
      to: target,
      close: async () => void (await Promise.all([source.close(), target.close()])),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Opens the databases for commands that change something: one at a time. */
export async function acquireEnds(around: Around): Promise<Ends> {
  const ends = await openEnds(around);
  try {
    await refuseUnlessCells(around, ends);
    if (!(await ends.from.lock()) || !(await ends.to.lock()))
      throw new MoveRefused(
        `Another command is moving business ${around.business}. Remedy: wait until it is done, or end it.`,
      );
    return ends;
  } catch (error) {
    await ends.close();
    throw error;
  }
}

export async function refuseUnlessCells({ own, cell }: Around, { from, to }: Ends): Promise<void> {
  for (const [end, number, setting] of [
    [from, own, 'DATABASE_URL'],
    [to, cell, 'MOVE_TO_DATABASE_URL'],
  ] as const) {
    const said = await end.number();
    if (said !== number)
      throw new MoveRefused(
        `The database of ${setting} is ${said === null ? 'no cell' : `cell ${said}`}, not cell ${number}. Remedy: correct ${setting}, or start the servers of cell ${number} once.`,
      );
  }
}

const refuse = (why: string, remedy: string): MoveRefused => new MoveRefused(`${why} Remedy: ${remedy}`);

/**
 * Returns the place of the business.
 * @throws MoveRefused if it can't be moved from its place
 */
export async function whereIs({ business, own, cell }: Around, { from, to }: Ends): Promise<Place> {
  const [here, there] = await Promise.all([from.state(), to.state()]);
  const comesFromHere = there.state === 'arriving' && there.cell === own;
  const livesThere = there.state === null && there.here;
  if (here.state === 'left' && here.cell === cell) {
    if (livesThere) return 'there';
    if (comesFromHere) return 'between';
  }
  if (here.state === 'left' || here.state === 'arriving')
    throw refuse(
      `Business ${business} lives in cell ${here.cell}.`,
      `run the command with the settings of cell ${here.cell}.`,
    );
  if (!here.here)
    throw refuse(`There is no business ${business} in this cell.`, 'find its id with "rollcall provider list".');
  if (livesThere)
    throw refuse(
      `Both cells say that business ${business} lives there.`,
      'find out which of them was restored from an old backup.',
    );
  if (here.cell !== null && here.cell !== cell)
    throw refuse(
      `A move of business ${business} to cell ${here.cell} has begun.`,
      `finish it, or take it back with "rollcall move ${business} ${here.cell} --cancel".`,
    );
  if (there.state === 'arriving' && !comesFromHere)
    throw refuse(
      `Business ${business} arrives in cell ${cell} from cell ${there.cell}.`,
      `cancel that with the settings of cell ${there.cell}.`,
    );
  if (there.here && !comesFromHere)
    throw refuse(
      `Cell ${cell} still has rows of business ${business} from before it moved away.`,
      `delete it with "rollcall move ${business} ${own} --confirm" and the settings of cell ${cell}.`,
    );
  return here.cell === cell || comesFromHere ? 'begun' : 'here';
}
