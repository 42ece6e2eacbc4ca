/** The nightly check of each business's ledger; `rollcall doctor` reports the findings. */
import { checkLedger } from './checks.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { onTheirDays, queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'check_ledger';
/** Start of the check by the clock of the business, after its other nightly jobs. */
export const FROM = '03:00';

/** Enqueues the check for each business that has reached that time and has anything in its ledger. */
export async function sweepChecks(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; last: string | null }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, c.checked_on AS last FROM provider p LEFT JOIN ledger_check c
    USING (provider_id)
    WHERE EXISTS (SELECT FROM ledger_transaction t WHERE t.provider_id = p.provider_id)`);
  const due = onTheirDays(businesses, now).filter(
    ({ last, today, time }) => time >= FROM && (last === null || last < today),
  );
  await queueForEach(tx, { task: TASK, now, urgency: 'last', key: ({ today }) => `ledger:${today}` }, due);
}

export async function keepCheck(work: Work): Promise<void> {
  const differences = await checkLedger(work);
  await work.tx.run(sql`
    INSERT INTO ledger_check (provider_id, checked_on, checked_at, differences)
    VALUES (${work.providerId}, ${wallAt(work.now, work.tenant.zone).date}, ${instant(work.now)},
      ${differences}::text[])
    ON CONFLICT (provider_id) DO UPDATE SET checked_on = excluded.checked_on, checked_at = excluded.checked_at,
      differences = excluded.differences`);
}

export const checkJob: Job = { task: TASK, run: keepCheck };
