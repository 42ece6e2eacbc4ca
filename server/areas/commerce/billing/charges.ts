/**
 * Account charges that are due without a billing period: penalties, reactivations and charges added by staff. Each
 * business follows its own calendar and setting, and days on which the service was down are caught up.
 */
import { billAccount } from './bill.ts';
import { todayOf } from './today.ts';
import { billingSettings } from './settings.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { reasonsByHand } from '../../money/account-entries/index.ts';
import { startOfDay } from '../../../kernel/base/values/zone.ts';
import { onTheirDays, queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'find_charges';
const ACCOUNT_TASK = 'bill_account';
const PORTION = 500;

/** Condition: the charge is open, so nothing else has collected it yet, and may be billed by itself. */
const open = (): Sql =>
  sql`e.kind = 'charge' AND e.voided_at IS NULL AND e.settled_invoice_id IS NULL AND e.credited_at IS NULL
    AND e.reason <> ALL(${reasonsByHand()}::text[])`;

/** Enqueues the work for each business that may have such charges. */
export async function sweepCharges(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT e.provider_id, min(e.due_on) AS first FROM account_entry e WHERE ${open()} GROUP BY e.provider_id) x
    USING (provider_id)`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) => first <= today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `charges:${today}` }, due);
}

/**
 * Enqueues the accounts with due charges. Today's charges can still be paid at the desk, so they aren't invoiced until
 * tomorrow.
 */
export async function findCharges(work: Work): Promise<void> {
  if (!(await billingSettings(work)).invoice_charges) return;
  const today = todayOf(work);
  const midnight = startOfDay(today, work.tenant.zone);
  const customers = await work.tx.rows<{ id: number }>(sql`
    SELECT e.customer_id AS id FROM account_entry e WHERE e.provider_id = ${work.providerId} AND ${open()}
      AND e.due_on <= ${today}::date AND e.created_at < ${instant(midnight)}::timestamptz
    GROUP BY e.customer_id ORDER BY min(e.due_on), e.customer_id LIMIT ${PORTION}`);
  for (const { id } of customers)
    work.enqueue({ task: ACCOUNT_TASK, payload: { customer: id }, key: `bill_account:${id}:${today}` });
}

/** Bills one account in its own transaction. The payment engine continues the resulting payment. */
export async function billOneAccount(work: Work, { customer }: { customer: number }): Promise<void> {
  await billAccount(work, customer);
}

export const chargeJobs: readonly Job[] = [
  { task: TASK, run: findCharges },
  { task: ACCOUNT_TASK, run: billOneAccount },
];
