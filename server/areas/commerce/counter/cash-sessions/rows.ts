import { lockRows } from '../../../../kernel/work/unit/row.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Row } from '../../../../kernel/base/db/rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A session as it is stored; amounts are minor units. */
export type SessionRow = Row<'cash_session'>;

/**
 * Locks a session. This is the last of all locks: after it, nothing is posted for a customer and no number is taken.
 */
export async function lockSession(work: Work, id: number): Promise<SessionRow> {
  const [row] = await lockRows<SessionRow>(work, 'cash_session', [id]);
  return row;
}

/** Locks and returns the open session of a drawer; undefined if there is none. */
export async function lockOpenSession(work: Work, processor: number): Promise<SessionRow | undefined> {
  return work.tx.one<SessionRow>(
    sql`SELECT * FROM cash_session WHERE provider_id = ${work.providerId} AND payment_processor_id = ${processor}
          AND closed_at IS NULL FOR NO KEY UPDATE`,
  );
}
