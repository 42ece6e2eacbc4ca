/** The sweep of rows of expired imports, which contain what other programs stored about people, and their samples. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const RETENTION_DAYS = 30;

export async function sweepImports(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`
    WITH over AS (
      UPDATE import SET rows_deleted_at = ${instant(now)},
        columns = coalesce((SELECT jsonb_agg(c || '{"samples": []}' ORDER BY n)
          FROM jsonb_array_elements(columns) WITH ORDINALITY AS x (c, n)), '[]')
      WHERE (provider_id, id) IN (
        SELECT i.provider_id, i.id FROM import i
        WHERE i.rows_deleted_at IS NULL AND i.created_at <= ${instant(now - RETENTION_DAYS * 86_400_000)}::timestamptz
        ORDER BY i.created_at LIMIT 20 FOR UPDATE SKIP LOCKED)
      RETURNING provider_id, id)
    DELETE FROM import_row r USING over WHERE r.provider_id = over.provider_id AND r.import_id = over.id`);
}
