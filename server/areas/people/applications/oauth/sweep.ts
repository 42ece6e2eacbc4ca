/** Deletes what has expired: records of log-ins, tokens that nobody can use, and keys. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { tendKeys, type KeyRing } from '../keys/signing-keys.ts';
import { sweepRecords } from './records.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const DAY = 86_400_000;

export async function sweepOAuth(tx: Transaction, now: number, installation: KeyRing): Promise<void> {
  await tendKeys(tx, installation, now);
  await sweepRecords(tx, now);
  await tx.run(
    sql`UPDATE app_authorization SET ended_at = expires_at, end_reason = 'expired'
      WHERE ended_at IS NULL AND expires_at <= ${instant(now)}`,
  );
  // A used token is kept for as long as it would have been valid: until then, a second use is recognized as a replay.
  await tx.run(sql`DELETE FROM refresh_token WHERE expires_at < ${instant(now - DAY)}`);
}
