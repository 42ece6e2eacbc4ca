/**
 * Expiry of account credit after its last day, the oldest first, and the notice before. Runs once a day for each
 * business, by its own calendar. After a standstill, nothing expires before its notice was sent.
 */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import { changeCredit } from './credit.ts';
import { CREDIT_EXPIRED } from './reasons.ts';
import { CREDIT_EXPIRES } from './notice-types.ts';
import { creditSettings, keepWorkedOn } from './credit-settings.ts';
import { givenUntil, lastDayOf, remainingCredit, type ExpirySettings } from './rules/credit-expiry.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockAccounts } from '../ledger/index.ts';
import { startOfDay, wallAt } from '../../../kernel/base/values/zone.ts';
import { spokenAmount, spokenDateIn } from '../../../kernel/base/languages/spoken.ts';
import { onTheirDays, queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Notice } from '../../../kernel/work/unit/notices.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'expire_credit';
const PORTION = 200;

/** Enqueues the day's job for each business whose credit expires. */
export async function sweepCreditExpiry(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; worked_on: string | null }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, s.worked_on FROM account_credit_settings s JOIN provider p
    USING (provider_id)
    WHERE s.expires_after_days IS NOT NULL`);
  const due = onTheirDays(businesses, now).filter(({ worked_on, today }) => worked_on === null || worked_on < today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `expire_credit:${today}` }, due);
}

interface Portion {
  /** id of the last customer of the previous batch */
  readonly after?: number;
  /** day on which the first batch began */
  readonly day?: string;
}

/** The days that one run covers. */
interface Days {
  /** credit whose last day is this one or earlier expires */
  readonly expired: string;
  /**
   * customers were notified of credit whose last day is until `from`, and are now notified until `until`; null if
   * notices are off
   */
  readonly announced: { readonly from: string; readonly until: string } | null;
}

export async function expireCredit(work: Work, { after = 0, day }: Portion = {}): Promise<void> {
  const settings = await creditSettings(work);
  const { expires_after_days: days, since, notice_days: notice, told_until: from } = settings;
  if (days === null) return;
  const today = day ?? wallAt(work.now, work.tenant.zone).date;
  const yesterday = addDays(today, -1);
  const when: Days = {
    expired: notice !== null && from! < yesterday ? from! : yesterday,
    announced: notice === null ? null : { from: from!, until: addDays(today, notice) },
  };
  const customers = await customersWithCredit(work, after);
  await lockAccounts(work, customers);
  await settle(work, customers, { days, since: since! }, when);
  if (customers.length === PORTION)
    work.enqueue({
      task: TASK,
      payload: { after: customers.at(-1)!, day: today },
      key: `expire_credit:${today}:${customers.at(-1)}`,
    });
  else await keepWorkedOn(work, today, when.announced?.until ?? null);
}

export const expireCreditJob: Job = { task: TASK, run: expireCredit };

const customersWithCredit = async ({ tx, providerId }: Work, after: number): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(
      sql`SELECT customer_id AS id FROM customer_balance
        WHERE provider_id = ${providerId} AND account = 'credit' AND amount_minor < 0
          AND customer_id > ${after} ORDER BY customer_id LIMIT ${PORTION}`,
    )
  ).map(({ id }) => id);

interface Sums {
  readonly customer: number;
  readonly balance: number;
  readonly taken: number;
  /** sums given until each of the days, in their order */
  readonly given: readonly number[];
  /** time of the first credit given after the second and until the third of the days, in epoch milliseconds */
  readonly first: number | null;
}

async function settle(
  work: Work,
  customers: readonly number[],
  settings: ExpirySettings,
  { expired, announced }: Days,
) {
  const { zone } = work.tenant;
  const today = wallAt(work.now, zone).date;
  const lastDays = [expired, announced?.from ?? expired, announced?.until ?? expired];
  const all = await sumsOf(
    work,
    customers,
    lastDays.map((lastDay) => givenUntil(lastDay, settings)),
  );
  const ends: { customer: number; amount: number }[] = [];
  const notices: Notice[] = [];
  for (const { customer, balance, taken, given, first } of all) {
    const [gone, known, soon] = given.map((until) => remainingCredit({ balance, taken, given: until }));
    if (gone > 0) ends.push({ customer, amount: gone });
    const amount = soon - Math.max(known, gone);
    if (announced === null || amount <= 0) continue;
    const lastDay = lastDayOf(wallAt(first!, zone).date, settings);
    // After a standstill, the last day may have passed: the credit can then be spent today, and expires afterwards.
    notices.push(noticeOf(work, customer, amount, lastDay < today ? today : lastDay));
  }
  const stored = storedTexts(work);
  await changeCredit(
    work,
    ends.map(({ customer, amount }) => ({
      customer,
      kind: 'charge',
      amount,
      reason: CREDIT_EXPIRED,
      explanation: stored.say('credit.expired', { amount: stored.amount(amount), day: stored.day(expired) }),
    })),
  );
  await work.registry.notifier.notify(work, notices);
}

const noticeOf = (work: Work, customer: number, amount: number, lastDay: string): Notice => ({
  type: CREDIT_EXPIRES,
  customer,
  key: lastDay,
  values: (reader) => ({
    'credit.amount': spokenAmount(reader, { minor: amount, currency: work.tenant.currency }),
    'credit.last_day': spokenDateIn(reader, lastDay),
  }),
});

/** Returns the sum given before an instant in the transactions `n`; zero for null. */
const givenBefore = (at: string | null) =>
  sql`coalesce(sum(-n.amount) FILTER (WHERE n.amount < 0 AND n.posted_at < ${at}::timestamptz), 0)::bigint`;

/**
 * Returns for each customer what was given until each day, and what was ever taken. Reserving credit for a payment and
 * releasing it is neither: both accounts are summed within each transaction.
 */
async function sumsOf(work: Work, customers: readonly number[], days: readonly (string | null)[]): Promise<Sums[]> {
  const { tx, providerId, tenant } = work;
  const bounds = days.map((day) => (day === null ? null : instant(startOfDay(addDays(day, 1), tenant.zone))));
  const rows = await tx.rows<{
    customer: number;
    balance: number;
    taken: number;
    a: number;
    b: number;
    c: number;
    first: number | null;
  }>(sql`
    SELECT b.customer_id AS customer, -b.amount_minor AS balance,
      coalesce(sum(n.amount) FILTER (WHERE n.amount > 0), 0)::bigint AS taken,
      ${givenBefore(bounds[0])} AS a, ${givenBefore(bounds[1])} AS b, ${givenBefore(bounds[2])} AS c,
      min(n.posted_at) FILTER (WHERE n.amount < 0 AND n.posted_at >= ${bounds[1] ?? '-infinity'}::timestamptz
        AND n.posted_at < ${bounds[2]}::timestamptz) AS first
    FROM customer_balance b JOIN (
      SELECT l.customer_id, t.posted_at, sum(l.amount_minor) AS amount
      FROM ledger_line l JOIN ledger_transaction t ON t.provider_id = l.provider_id AND t.id = l.transaction_id
      WHERE l.provider_id = ${providerId} AND l.customer_id = ANY(${customers}::bigint[])
        AND l.account IN ('credit', 'credit_held')
      GROUP BY l.customer_id, t.id, t.posted_at) n ON n.customer_id = b.customer_id
    WHERE b.provider_id = ${providerId} AND b.account = 'credit' AND b.customer_id = ANY(${customers}::bigint[])
    GROUP BY b.customer_id, b.amount_minor ORDER BY b.customer_id`);
  return rows.map(({ a, b, c, ...sums }) => ({ ...sums, given: [a, b, c] }));
}
