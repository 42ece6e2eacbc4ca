/** Names that businesses of other cells have: no database constraint can span them. */
import { sql } from '../../kernel/base/db/sql.ts';
import { TAKEN } from '../../kernel/work/unit/other-cells.ts';
import type { CellQuestion } from './question.ts';

interface Asked {
  /** prefix of the names, such as `slug:studio` */
  readonly prefix: string;
}

/** For a business that has left, its new cell answers. */
export const takenQuestion: CellQuestion<Asked, string[]> = {
  name: TAKEN,
  answer: async ({ db }, { prefix }) => {
    const rows = await db.readAcrossTenants<{ name: string }>(
      'a business of another cell chooses a name',
      sql`SELECT name FROM cell_name WHERE starts_with(name, ${prefix}) AND NOT gone
        AND provider_id <> ALL (elsewhere())`,
    );
    return rows.map(({ name }) => name);
  },
};
