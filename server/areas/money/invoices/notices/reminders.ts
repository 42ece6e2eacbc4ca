/**
 * Reminders of invoices that are unpaid some days after their due date, by each business's calendar and setting, also
 * for days on which the service was down.
 */
import { about, invoiceFeed } from '../feed.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invoiceSettings } from '../settings.ts';
import { remindAboutInvoices } from './notify.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { onTheirDays, queueForEach } from '../../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const TASK = 'remind_of_invoices';
const PORTION = 100;

/** No reminder is sent while a payment is in progress or will be retried. */
const waiting = sql`due_minor > 0 AND reminded_at IS NULL
  AND status IN ('open', 'pending_offline', 'failed', 'retry_failed')`;

/** Enqueues the job for each business that may have any. */
export async function sweepReminders(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT provider_id, min(due_on) AS first FROM invoice WHERE ${waiting} GROUP BY provider_id) x
    USING (provider_id)`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) => first < today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `invoice_reminders:${today}` }, due);
}

export async function remind(work: Work): Promise<void> {
  const { reminder_days: days } = await invoiceSettings(work);
  if (days === null) return;
  const { tx, providerId } = work;
  const latest = addDays(wallAt(work.now, work.tenant.zone).date, -days);
  const found = await tx.rows<{ id: number }>(
    sql`SELECT id FROM invoice WHERE provider_id = ${providerId} AND ${waiting} AND due_on <= ${latest}::date
      ORDER BY id LIMIT ${PORTION}`,
  );
  const rows = await remindAboutInvoices(
    work,
    found.map(({ id }) => id),
  );
  await tx.run(
    sql`UPDATE invoice SET reminded_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
        WHERE provider_id = ${providerId} AND id = ANY(${rows.map(({ id }) => id)}::bigint[])`,
  );
  for (const row of rows) work.record(invoiceFeed.reminded, row.id, about(row));
  if (found.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `invoice_reminders:${found.at(-1)!.id}` });
}

export const remindJob: Job = { task: TASK, run: remind };
