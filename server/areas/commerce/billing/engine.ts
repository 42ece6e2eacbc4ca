/**
 * Billing engine. It bills everything that is due, at each business in the order of the days, also after an outage: a
 * day is finished before the next one begins. Some invoices share a transaction; each of the others has its own, in
 * which its payment begins. If the process is killed, uncommitted periods stay due, and the payment engine continues
 * payments that were not charged.
 */
import { billAlone, billPeriod, readDue, type BillsRead, type DuePeriod } from './bill.ts';
import { billTogether, isPlain } from './bill-together.ts';
import { takeStep } from './dunning.ts';
import { syncStartedPayments, syncPayment, syncStartedPayment } from '../../money/payments/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { Loops } from '../../../kernel/work/worker/loops.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { businessTime, type Tenant, type Work } from '../../../kernel/work/unit/work.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../kernel/work/unit/engine.ts';

const WHY = 'what is due at every business is billed by one engine';
const ACTOR = 'billing';
const IDLE_MS = 500;
/** periods of one business in one batch, processed in parallel */
const PORTION = 100;
const LANES = 6;
/**
 * periods billed in one transaction, and the number of such transactions in parallel: they wait for each other's
 * invoice numbers
 */
const TOGETHER = 25;
const LANES_TOGETHER = 2;
const RETRY_MS = 10 * 60_000;

type Own = Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log'>;

export const billingEngine: Engine = {
  name: 'billing',
  start: async (context) => new BillingEngine(context),
  ofTestBusiness: {
    due: (provider) => [
      sql`(SELECT min(d.due_at) FROM billing_period d WHERE d.provider_id = ${provider} AND d.state = 'due')`,
      sql`(SELECT min(d.step_at) FROM billing_collection d
        WHERE d.provider_id = ${provider} AND d.step_at IS NOT NULL)`,
    ],
    act: async (context, tenant) => {
      const billed = await billDueOf(context, tenant);
      return (await takeStepsOf(context, tenant)) || billed;
    },
  },
};

class BillingEngine implements RunningEngine {
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#loops = new Loops(context.log);
    this.#loops.repeat('billing periods', IDLE_MS, () => billDue(context, () => this.#loops.stopped));
    this.#loops.repeat('unpaid invoices', IDLE_MS, () => takeSteps(context));
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }
}

const isDue = (now: number) => sql`p.state = 'due' AND p.due_at <= ${instant(now)}::timestamptz`;

interface Due {
  readonly id: number;
  readonly first: string;
}

/** Bills one batch of the earliest day of each business. Returns whether there was any. */
async function billDue(own: Own, stopped = () => false): Promise<boolean> {
  const found = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<Due & Record<string, unknown>>(
      sql`SELECT p.provider_id AS id, min(p.period_start) AS first FROM billing_period p WHERE ${isDue(own.now())}
        GROUP BY p.provider_id`,
    ),
  );
  for (const { id, first } of found) await billDay(own, id, first, { now: own.now(), stopped });
  return found.length > 0;
}

/** Bills one batch at one business, by that business's time. */
export async function billDueOf(own: Own, tenant: Tenant): Promise<boolean> {
  const { providerId } = tenant;
  const now = businessTime(tenant, own.now());
  const due = await own.db.looking(providerId, (tx) =>
    tx.one<{ first: string | null }>(
      sql`SELECT min(p.period_start) AS first FROM billing_period p
        WHERE p.provider_id = ${providerId} AND ${isDue(now)}`,
    ),
  );
  if (due!.first === null) return false;
  await billDay(own, providerId, due!.first, { now, stopped: () => false });
  return true;
}

interface Going {
  readonly now: number;
  readonly stopped: () => boolean;
}

/** Bills a batch of one day. The data needed is read once for all of its periods. */
async function billDay(own: Own, provider: number, day: string, { now, stopped }: Going): Promise<void> {
  const which = sql`${isDue(now)} AND p.period_start = ${day}::date`;
  const read = await own.db.looking(provider, (tx) => readDue({ tx, providerId: provider }, which, PORTION));
  const { plain = [], other = [] } = Object.groupBy(read.due, (due) => (isPlain(due, read.plans) ? 'plain' : 'other'));
  const parts = Array.from({ length: Math.ceil(plain.length / TOGETHER) }, (_, n) =>
    plain.slice(n * TOGETHER, (n + 1) * TOGETHER),
  );
  const inLanes = async <T>(lanes: number, all: readonly T[], act: (one: T) => Promise<void>) => {
    const queue = all.values();
    const lane = async () => {
      for (const one of queue) if (!stopped()) await act(one);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  await inLanes(LANES_TOGETHER, parts, (periods) => billPart(own, provider, periods, read.plans, now));
  await inLanes(LANES, other, (period) => billOne(own, provider, period, read.plans, now));
}

/** Bills several periods together or, if that fails, each alone. */
async function billPart(
  own: Own,
  provider: number,
  periods: readonly DuePeriod[],
  plans: BillsRead,
  now: number,
): Promise<void> {
  const payments = await backgroundWork(own, provider, ACTOR, (work) => billTogether(work, periods, plans)).catch(
    (err: Error) => {
      own.log.info({ why: err.message, provider }, 'billing periods can’t be billed together; each is billed alone');
    },
  );
  if (payments) await syncStartedPayments(await outsideOf(own, provider), payments);
  else for (const period of periods) await billOne(own, provider, period, plans, now);
}

/** Postpones a period that can't be billed, so that no other period waits for it. */
async function billOne(own: Own, provider: number, period: DuePeriod, plans: BillsRead, now: number): Promise<void> {
  const inOne = <T>(act: (work: Work) => Promise<T>) => backgroundWork(own, provider, ACTOR, act);
  try {
    // The data read for the batch may have changed since: then it is read again for this period alone.
    const payment = await inOne((work) => billPeriod(work, period, plans)).catch(() =>
      inOne((work) => billAlone(work, period.id)),
    );
    if (payment) await syncStartedPayment(await outsideOf(own, provider), payment);
  } catch (err) {
    own.log.warn({ err, provider, period: period.id }, 'a billing period is not billed; will try again');
    await own.db.transaction(provider, (tx) =>
      tx.run(sql`UPDATE billing_period SET due_at = ${instant(now + RETRY_MS)}
        WHERE provider_id = ${provider} AND id = ${period.id} AND state = 'due'`),
    );
  }
}

/**
 * Returns the context for calling the processor after the commit. If no response arrives, the payment engine retries.
 */
async function outsideOf(own: Own, provider: number) {
  const tenant = (await own.tenants.of(provider))!;
  return { ...own, tenant, now: businessTime(tenant, own.now()) };
}

interface Step {
  readonly provider_id: number;
  readonly id: number;
}

const STEPS_AT_ONCE = 50;
const stepsBy = (now: number) =>
  sql`SELECT c.provider_id, c.invoice_id AS id FROM billing_collection c WHERE c.step_at <= ${instant(now)}::timestamptz
    ORDER BY c.step_at, c.provider_id, c.invoice_id LIMIT ${STEPS_AT_ONCE}`;

/** Takes the due steps for unpaid invoices, in the order in which they became due. Returns whether there were any. */
async function takeSteps(own: Own): Promise<boolean> {
  const due = await own.db.acrossTenants(WHY, (tx) => tx.rows<Step & Record<string, unknown>>(stepsBy(own.now())));
  for (const { provider_id, id } of due) await takeOne(own, provider_id, id, own.now());
  return due.length > 0;
}

/** Takes the due steps at one business, by that business's time. */
export async function takeStepsOf(own: Own, tenant: Tenant): Promise<boolean> {
  const now = businessTime(tenant, own.now());
  const due = await own.db.looking(tenant.providerId, (tx) => tx.rows<Step & Record<string, unknown>>(stepsBy(now)));
  for (const { id } of due) await takeOne(own, tenant.providerId, id, now);
  return due.length > 0;
}

/** Postpones a step that can't be taken, so that no other step waits for it. */
async function takeOne(own: Own, provider: number, invoice: number, now: number): Promise<void> {
  try {
    const payment = await backgroundWork(own, provider, ACTOR, (work) => takeStep(work, invoice));
    if (payment) await syncPayment(await outsideOf(own, provider), payment);
  } catch (err) {
    own.log.warn({ err, provider, invoice }, 'a step about an unpaid invoice was not taken; will try again');
    const later = instant(now + RETRY_MS);
    await own.db.transaction(provider, (tx) =>
      tx.run(sql`UPDATE billing_collection
        SET next_at = greatest(next_at, CASE WHEN next_at IS NOT NULL THEN ${later}::timestamptz END),
          block_at = greatest(block_at, CASE WHEN block_at IS NOT NULL THEN ${later}::timestamptz END),
          end_at = greatest(end_at, CASE WHEN end_at IS NOT NULL THEN ${later}::timestamptz END),
          release_at = greatest(release_at, CASE WHEN release_at IS NOT NULL THEN ${later}::timestamptz END)
        WHERE provider_id = ${provider} AND invoice_id = ${invoice}`),
    );
  }
}
