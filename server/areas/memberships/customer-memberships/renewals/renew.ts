/**
 * Reports each billing period of a recurring plan when it begins, by the calendar of its business: each once, in the
 * order of their days, also those that began while the service was down. The column `renews_on` records the progress.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { changeAllOwned, item, lockOwned, lockOwnedWhere, type Change, type Locked, type Owned } from '../owned.ts';
import { reportDue, type DuePeriod } from '../billers.ts';
import { COMPLETE_TASK } from './complete.ts';
import { daysOf } from '../holds/hold-row.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { membershipRenewalsFeed } from './feed.ts';
import { nextRenewal, type Renewal, type Renewing } from './rules/renewal.ts';
import { renewsContract } from '../rules/contract.ts';
import { todayOf } from '../writes.ts';
import { onTheirDays, queueForEach } from '../../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const TASK = 'renew_memberships';
const PORTION = 200;

export const renewJob: Job = { task: TASK, run: renewDue };

/** The next period begins before the last day. */
const DUE = sql`cm.status IN ('active', 'hold') AND (cm.expiration_date IS NULL OR cm.renews_on <= cm.expiration_date)`;

/** Enqueues the job for each business in which a period has begun. */
export async function sweepRenewals(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.renews_on AS first FROM provider p CROSS JOIN LATERAL (
      SELECT cm.renews_on FROM customer_membership cm
      WHERE cm.provider_id = p.provider_id AND cm.renews_on IS NOT NULL AND ${DUE} ORDER BY cm.renews_on LIMIT 1) x`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) => first <= today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `renew:${today}` }, due);
}

/**
 * Reports all periods of one day before those of the next. Each batch is a transaction, so that nobody waits for a long
 * one.
 */
export async function renewDue(work: Work): Promise<void> {
  let last = await renewDay(work);
  for (let told = last.length; last.length > 0 && told < PORTION; told += last.length) last = await renewDay(work);
  const [end, today] = [last.at(-1), todayOf(work)];
  // Memberships that ended in the meantime were waiting for their periods to be reported.
  if (end === undefined) work.enqueue({ task: COMPLETE_TASK, payload: {}, key: `complete:${today}` });
  else work.enqueue({ task: TASK, payload: {}, key: `renew:${today}:after:${end.renews_on}:${end.id}` });
}

/** Reports the periods of the earliest day that has unreported ones; returns none if everything is reported. */
async function renewDay(work: Work): Promise<Locked[]> {
  const { tx, providerId } = work;
  const first = await tx.one<{ day: string | null }>(
    sql`SELECT min(cm.renews_on) AS day FROM customer_membership cm
      WHERE cm.provider_id = ${providerId} AND cm.renews_on <= ${todayOf(work)}::date AND ${DUE}`,
  );
  if (first!.day === null) return [];
  const due = await lockOwnedWhere(work, sql`cm.renews_on = ${first!.day}::date AND ${DUE}`, PORTION);
  if (due.length === 0) throw new RetryTransaction('the memberships changed in between');
  await renewAll(work, due);
  return due;
}

/** Reports the due periods of a membership that is about to end. Returns the membership afterwards. */
export async function renewOwned(work: Work, owned: Locked): Promise<Locked> {
  const { renews_on: next, expiration_date: end } = owned;
  if (next === null || next > todayOf(work) || (end !== null && next > end)) return owned;
  await renewAll(work, [owned]);
  return renewOwned(work, await lockOwned(work, owned.id));
}

/** Reports the next period of each membership. */
async function renewAll(work: Work, due: readonly Locked[]): Promise<void> {
  const today = todayOf(work);
  const renewals = due.map((owned) => ({ owned, renewal: nextRenewal(renewing(owned), today)! }));
  await changeAllOwned(
    work,
    renewals.map(({ owned, renewal }) => {
      const to = { renews_on: renewal.period.end };
      return { owned, to, ...(renewal.billed && renewalRecords(work, owned, renewal)) };
    }),
  );
  await reportDue(
    work,
    renewals.flatMap(({ owned, renewal }) => (renewal.billed ? periodOfRenewal(owned, renewal) : [])),
  );
}

/** Returns the period for the biller. */
export const periodOfRenewal = (owned: Owned, { period }: Renewal): DuePeriod => ({
  customerMembership: owned.id,
  start: period.start,
  end: addDays(period.end, -1),
  price: owned.billed_price_minor,
  first: false,
});

export const renewing = ({ cycle, renews_on, expiration_date: end, holds }: Owned): Renewing => ({
  cycle: cycle!,
  renewsOn: renews_on!,
  end,
  holds: holds.map(daysOf),
});

/** Reports a period whose price is due. */
function renewalRecords(
  work: Work,
  owned: Owned,
  { period: { start, end } }: Renewal,
): Pick<Change, 'audit' | 'items'> {
  const { agreed, ...facts } = owned.bound!;
  const price = owned.billed_price_minor;
  const period = {
    period_start_date: start,
    period_end_date: addDays(end, -1),
    contract_renewed: renewsContract(agreed, facts, start),
  };
  return {
    items: [
      item(membershipRenewalsFeed.renewed, {
        ...period,
        price: formatDecimal({ minor: price, currency: work.tenant.currency }),
      }),
    ],
    audit: {
      action: 'renewal',
      before: { renews_on: start },
      after: { renews_on: end, ...period, price_minor: price },
    },
  };
}
