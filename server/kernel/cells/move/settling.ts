/** Businesses that are about to move: what would be sent twice if it began now waits until they have moved. */
import { sql, type Sql } from '../../db/sql.ts';
import type { Installation } from '../../installation.ts';

/** Whether something may be begun for a business that goes on outside of transactions. `provider`: over its id. */
export const mayBegin = ({ cells }: Pick<Installation, 'cells'>, provider: Sql): Sql =>
  cells === null ? sql`true` : sql`${provider} <> ALL (SELECT m.provider_id FROM cell_move m WHERE m.settles)`;
