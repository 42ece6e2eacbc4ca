/** The sweep of expired files. */
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { progressJob } from '../../../platform/bulk/index.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const BATCH_SIZE = raw('200');

export async function sweepExports(
  tx: Transaction,
  now: number,
  { files }: Pick<Installation, 'files'>,
): Promise<void> {
  const over = await tx.rows<{ provider_id: number; id: number; job_id: number; file: string }>(sql`
    SELECT provider_id, id, job_id, file FROM report_export
    WHERE state = 'complete' AND expires_at <= ${instant(now)}::timestamptz
    ORDER BY expires_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`);
  for (const { provider_id: providerId, id, job_id: job, file } of over) {
    // The file is removed first: if the rest is rolled back, the next run finds no file and completes the rest.
    await files.remove(file);
    await progressJob({ tx, providerId }, job, { state: 'expired', resultPath: null });
    await tx.run(
      sql`UPDATE report_export SET state = 'expired', file = NULL WHERE provider_id = ${providerId} AND id = ${id}`,
    );
  }
}
