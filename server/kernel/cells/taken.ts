/** Names that businesses of other cells have: there is no constraint across databases that could say so. */
import { sql } from '../db/sql.ts';
import type { CellQuestion, Ring } from './ring.ts';

const TAKEN = 'taken_names';

interface Asked {
  /** how the names begin, as `slug:studio` */
  readonly prefix: string;
}

/** Of a business that has left, the cell where it lives says so. */
export const takenQuestion: CellQuestion<Asked, string[]> = {
  name: TAKEN,
  answer: async ({ db }, { prefix }) => {
    const rows = await db.readAcrossTenants<{ name: string }>(
      'a business of another cell chooses a name',
      sql`SELECT name FROM cell_name WHERE starts_with(name, ${prefix}) AND NOT gone AND provider_id <> ALL (elsewhere())`,
    );
    return rows.map(({ name }) => name);
  },
};

/**
 * Names of other cells that begin so. Two businesses that take one at the same instant both get it: `rollcall doctor` finds
 * that. @throws CellAway where it can't be known now
 */
export const takenElsewhere = async (cells: Ring | null, prefix: string): Promise<readonly string[]> =>
  cells === null ? [] : (await cells.askAll<string[]>(TAKEN, { prefix })).flat();

export const isTakenElsewhere = async (cells: Ring | null, name: string): Promise<boolean> =>
  (await takenElsewhere(cells, name)).includes(name);
