/** Finds the cell that began the log-in of an application, from an address that continues it and names nothing else. */
import { keyOf } from './records.ts';
import { PATHS } from './offered.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { CellLocator } from '../../../../kernel/api/cell-declarations.ts';

export const interactionSeeker: CellLocator = {
  kind: 'interaction',
  isHere: async (db, id) => {
    const rows = await db.readAcrossTenants(
      'the records of log-ins by applications belong to no business',
      sql`SELECT FROM oidc_record WHERE model = 'Interaction' AND key = ${keyOf(id)}`,
    );
    return rows.length > 0;
  },
};

const GOES_ON = new RegExp(`^${PATHS.authorization}/([\\w-]{10,100})$`);

/** Returns, for example, `interaction:abc`. */
export function interactionInPath(path: string): string | null {
  const id = GOES_ON.exec(path)?.[1];
  return id === undefined ? null : `interaction:${id}`;
}
