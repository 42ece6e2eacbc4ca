/** Ends files of reports before their time: somebody who is in them wants to be forgotten. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** All files of the business: what is in them is not known. The sweep removes them. Returns how many there are. */
export const withdrawExports = ({ tx, providerId, now }: Work): Promise<number> =>
  tx.run(
    sql`UPDATE report_export SET expires_at = ${instant(now)} WHERE provider_id = ${providerId} AND state = 'complete' AND expires_at > ${instant(now)}::timestamptz`,
  );
