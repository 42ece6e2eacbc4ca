/** Finds the cell that has a message, by the token in an address that names no business. */
import { isToken, tokenHash } from './tokens.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { STATUS_PATH } from './sms/status.ts';
import type { CellLocator } from '../../../kernel/api/cell-declarations.ts';

export const messageLocator: CellLocator = {
  kind: 'message',
  isHere: async (db, token) => {
    const hash = tokenHash(token);
    const rows = await db.readAcrossTenants(
      'a message is looked for before its business is known',
      sql`SELECT FROM message WHERE unsubscribe_hash = ${hash} UNION ALL SELECT FROM message
        WHERE token_hash = ${hash} LIMIT 1`,
    );
    return rows.length > 0;
  },
};

/** Returns, for example, `message:abc`. */
export function messageInPath(path: string): string | null {
  const of = ['/unsubscribe/', `${STATUS_PATH}/`].find((start) => path.startsWith(start));
  const token = of === undefined ? '' : path.slice(of.length);
  return isToken(token) ? `message:${token}` : null;
}
