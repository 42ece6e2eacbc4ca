/** Names that businesses of other cells have: there is no constraint across databases that could say so. */
import { sql } from '../../kernel/base/db/sql.ts';
import { TAKEN } from '../../kernel/work/unit/other-cells.ts';
import type { CellQuestion } from '../../kernel/api/cell-declarations.ts';

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
