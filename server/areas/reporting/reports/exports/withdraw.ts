/** Withdrawal of report files before they expire, because somebody in them wants to be forgotten. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Expires all files of the business, because their contents are unknown. The sweep removes them. Returns their number.
 */
export const withdrawExports = ({ tx, providerId, now }: Work): Promise<number> =>
  tx.run(
    sql`UPDATE report_export SET expires_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND state = 'complete' AND expires_at > ${instant(now)}::timestamptz`,
  );
