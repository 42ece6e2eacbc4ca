/**
 * Calls the processor about one payment, refund or saved method: sends the request while no transaction is open, then
 * records the response in one. An interrupted call is repeated later with the same key.
 */
import { applyWaiting } from './take-message.ts';
import { openPaymentContext, ownTransaction, type Outside } from './context.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { isSettled, type PaymentState } from './rules/states.ts';
import { HURRY_EVERY_MS, HURRY_WITHIN_MS, LEASE_MS, stepFor, waitAfter, type Step } from './rules/next.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { processorOf } from './processors.ts';
import { isPlain, recordPaid, type Heard } from './record-paid.ts';
import { recordOutcome } from './record.ts';
import { recordRefund } from './record-refund.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Outcome, PaymentRequest, ProcessorContext, RefundRequest, RemoteProcessor } from './processor.ts';
import {
  payerColumns,
  savedMethod,
  type KnownPayment,
  type PaymentRow,
  type ProcessorRow,
  type RefundRow,
} from './rows.ts';

const NEVER_BEGUN = 'The payment could not be started, and nothing was charged. Try again.';

interface Driven<State> {
  readonly state: State;
  /** error of a call without a response; the call is retried later */
  readonly error?: unknown;
}

interface Options {
  /** claims it only if it is due, so that only one of several processes calls */
  readonly due?: boolean;
}

/**
 * `due`: as above. `hurried`: the payer is waiting for the result of a decision that they may have made, so this
 * doesn't count as an attempt; skipped if the processor was asked a moment ago.
 */
type Why = 'asked' | 'due' | 'hurried';

/** Asks the processor about a payment once, and returns its state. */
export const syncPayment = async (outside: Outside, id: number): Promise<PaymentState> =>
  (await tryPayment(outside, id)).state;

/**
 * Asks about a payment like `syncPayment`. The caller has just started and committed it: no other process asks about it
 * yet, so it is not read again.
 */
export async function syncStartedPayment(outside: Outside, known: KnownPayment): Promise<PaymentState> {
  const row = { ...known.row, attempts: known.row.attempts + 1 };
  if (!isNew(row, outside.now)) return syncPayment(outside, row.id);
  return (await askAbout(outside, { ...known, row }, 'asked')).state;
}

/** Number of payments in one call that processors are asked about in parallel. */
const LANES = 6;

/**
 * Asks about several payments of one business, like `syncStartedPayment`. Plain successes are recorded in one
 * transaction. Every other response, or one that can't be recorded with the rest, has a transaction of its own.
 */
export async function syncStartedPayments(outside: Outside, all: readonly KnownPayment[]): Promise<void> {
  const received: Heard[] = [];
  const contexts = new Map<number, ProcessorContext>();
  const queue = all.values();
  const lane = async () => {
    for (const known of queue) {
      const { processor } = known;
      const row = { ...known.row, attempts: known.row.attempts + 1 };
      const kind = processorOf(processor.kind);
      if (kind.immediate || !isNew(row, outside.now)) {
        await syncStartedPayment(outside, known);
        continue;
      }
      try {
        const c = contexts.getOrInsertComputed(processor.id, () => openPaymentContext(outside, processor));
        received.push({ row, outcome: await kind.begin(c, requestOf(outside, known)) });
      } catch {
        await later(outside, 'payment', row.id, row.attempts);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const recorded = new Set<number>();
  for (const some of Map.groupBy(received.filter(isPlain), ({ row }) => row.payee).values())
    await ownTransaction(outside, (work) => recordPaid(work, some)).then(
      (paid) => paid.forEach((id) => recorded.add(id)),
      // Errors are ignored here: each payment is then recorded alone and reports its own.
      () => {},
    );
  for (const one of received)
    if (!recorded.has(one.row.id))
      await recordAlone(outside, one).catch(() => later(outside, 'payment', one.row.id, one.row.attempts));
}

const recordAlone = (outside: Outside, { row, outcome }: Heard): Promise<PaymentState> =>
  ownTransaction(outside, async (work) => {
    await recordOutcome(work, row.id, outcome, row);
    return applyWaiting(work, row, row.external ?? outcome.external);
  });

/**
 * Asks for the outcome of a payment that waits for the payer or their bank, because the payer is looking at it. May be
 * called at any rate. Returns whether the processor was asked and responded.
 */
export async function pollPayment(outside: Outside, id: number): Promise<boolean> {
  const driven = await drive(outside, id, 'hurried');
  return driven !== undefined && driven.error === undefined;
}

/**
 * Asks about a payment like `syncPayment`, and also returns the error, if any. Undefined if another process has claimed
 * the payment.
 */
export async function tryPayment(outside: Outside, id: number): Promise<Driven<PaymentState>>;
export async function tryPayment(outside: Outside, id: number, o: Options): Promise<Driven<PaymentState> | undefined>;
export async function tryPayment(
  outside: Outside,
  id: number,
  { due = false }: Options = {},
): Promise<Driven<PaymentState> | undefined> {
  const driven = await drive(outside, id, due ? 'due' : 'asked');
  if (!driven && !due) throw notFound();
  return driven;
}

async function drive(outside: Outside, id: number, why: Why): Promise<Driven<PaymentState> | undefined> {
  const found = await claimPayment(outside, id, why);
  return found === null ? undefined : askAbout(outside, found, why);
}

async function askAbout(outside: Outside, known: KnownPayment, why: Why): Promise<Driven<PaymentState>> {
  const { row, processor } = known;
  const { id } = row;
  const kind = processorOf(processor.kind);
  const step = stepFor({
    state: row.status,
    cancelAsked: row.cancel_asked_at !== null,
    known: row.external !== null,
    age: outside.now - row.created_at,
  });
  // A failed payment is asked about only when it is due, not because somebody waits for a response.
  if (step === null || kind.immediate || (why !== 'due' && isSettled(row.status))) return { state: row.status };
  const withinMs = why === 'hurried' ? HURRY_WITHIN_MS : undefined;
  try {
    const outcome = await ask(kind, step, openPaymentContext(outside, processor, withinMs), requestOf(outside, known));
    return { state: await recordAlone(outside, { row, outcome }) };
  } catch (error) {
    // After a hurried call, the engine still asks at the time that was planned.
    if (why !== 'hurried') await later(outside, 'payment', id, row.attempts);
    return { state: row.status, error };
  }
}

async function ask(kind: RemoteProcessor, step: Step, c: ProcessorContext, request: PaymentRequest): Promise<Outcome> {
  if (step !== 'look') return kind[step](c, request);
  const seen = await kind.look(c, request);
  if (seen) return seen;
  if (request.external !== null) throw new Error(`the processor no longer has ${request.external}`);
  return { state: 'failed', external: null, why: NEVER_BEGUN };
}

/**
 * Claims the payment for the length of a call and reads what the processor must know. A new payment still belongs to
 * the process that started it, so nothing needs to be written for that process.
 */
async function claimPayment(outside: Outside, id: number, why: Why): Promise<KnownPayment | null> {
  const { db, tenant, now } = outside;
  const { providerId } = tenant;
  const [due, hurried] = [why === 'due', why === 'hurried'];
  if (why === 'asked') {
    const asked = sql`SELECT * FROM payment WHERE provider_id = ${providerId} AND id = ${id}`;
    const claimed = await readClaimed(db.reading(providerId), providerId, id, asked);
    if (claimed === null || isNew(claimed.row, now)) return claimed;
  }
  return db.transaction(providerId, async (tx) => {
    const claimed = await readClaimed(
      tx,
      providerId,
      id,
      sql`SELECT * FROM payment WHERE provider_id = ${providerId} AND id = ${id}
          AND (NOT ${due}::boolean OR next_at <= ${instant(now)})
          AND (NOT ${hurried}::boolean OR (status IN ('action_required', 'pending') AND external IS NOT NULL
            AND (hurried_at IS NULL OR hurried_at <= ${instant(now - HURRY_EVERY_MS)}))) FOR NO KEY UPDATE`,
    );
    if (claimed === null) return null;
    const { row } = claimed;
    if (hurried)
      tx.later(sql`UPDATE payment SET hurried_at = ${instant(now)} WHERE provider_id = ${providerId} AND id = ${id}`);
    else if (!isSettled(row.status) || (due && row.status === 'failed'))
      tx.later(
        sql`UPDATE payment SET next_at = ${instant(now + LEASE_MS)}, attempts = attempts + 1
          WHERE provider_id = ${providerId} AND id = ${id}`,
      );
    return claimed;
  });
}

/** Returns true if the first lease of the payment has hardly begun. */
const isNew = ({ status, attempts, next_at }: PaymentRow, now: number): boolean =>
  status === 'started' && attempts === 1 && next_at !== null && next_at > now + LEASE_MS / 2;

/**
 * Reads a claimed payment, its processor and its payer in one round trip. `wanted` selects the payment. Null if there
 * is none.
 */
async function readClaimed(
  reads: Pick<Transaction, 'all'>,
  providerId: number,
  id: number,
  wanted: Sql,
): Promise<KnownPayment | null> {
  const payment = sql`p.provider_id = ${providerId} AND p.id = ${id}`;
  const [[row], [processor], [payer]] = await reads.all([
    wanted,
    sql`SELECT o.* FROM payment p JOIN payment_processor o ON o.provider_id = p.provider_id
      AND o.id = p.payment_processor_id WHERE ${payment}`,
    sql`SELECT ${payerColumns(sql`p.payment_processor_id`)}
        FROM payment p JOIN customer c ON c.provider_id = p.provider_id AND c.id = p.customer_id
          ${savedMethod(sql`p.payment_method_id`, sql`p.payment_processor_id`)} WHERE ${payment}`,
  ]);
  return row ? ({ row: { ...row, attempts: row.attempts + 1 }, processor, payer } as unknown as KnownPayment) : null;
}

const requestOf = ({ tenant }: Outside, { row, payer }: KnownPayment): PaymentRequest => ({
  id: row.id,
  key: `payment-${row.id}`,
  provider: tenant.providerId,
  amount: row.amount_minor,
  currency: tenant.currency,
  description: row.description,
  customer: { id: row.customer_id, email: payer.email, name: payer.name },
  external: row.external,
  methodToken: payer.token,
  ownerToken: payer.owner_token,
  saveMethod: row.save_method,
  returnTo: row.return_to,
  cancelTo: row.cancel_to,
  scenario: row.scenario,
});

/** Asks the processor about a refund once. */
export async function tryRefund(
  outside: Outside,
  id: number,
  { due = false }: Options = {},
): Promise<Driven<RefundRow['status']> | undefined> {
  const found = await claimRefund(outside, id, due);
  if (!found) return undefined;
  const { row, payment, processor } = found;
  const kind = processorOf(processor.kind);
  if (kind.immediate || row.status === 'succeeded' || row.status === 'failed') return { state: row.status };
  const request: RefundRequest = {
    id,
    key: `refund-${id}`,
    provider: outside.tenant.providerId,
    amount: row.amount_minor,
    currency: outside.tenant.currency,
    external: row.external,
    payment: {
      id: payment.id,
      key: `payment-${payment.id}`,
      external: payment.external!,
      amount: payment.amount_minor,
    },
  };
  try {
    const c = openPaymentContext(outside, processor);
    const outcome = await (row.external === null ? kind.refund(c, request) : kind.lookRefund(c, request));
    return { state: await ownTransaction(outside, (work) => recordRefund(work, id, outcome)) };
  } catch (error) {
    await later(outside, 'payment_refund', id, row.attempts);
    return { state: row.status, error };
  }
}

async function claimRefund({ db, tenant, now }: Outside, id: number, due: boolean) {
  const { providerId } = tenant;
  return db.transaction(providerId, async (tx) => {
    const row = await tx.one<RefundRow>(
      sql`SELECT * FROM payment_refund WHERE provider_id = ${providerId} AND id = ${id}
            AND (NOT ${due}::boolean OR next_at <= ${instant(now)}) FOR NO KEY UPDATE`,
    );
    if (!row) return null;
    if (row.status === 'started' || row.status === 'pending')
      await tx.run(
        sql`UPDATE payment_refund SET next_at = ${instant(now + LEASE_MS)}, attempts = attempts + 1
          WHERE provider_id = ${providerId} AND id = ${id}`,
      );
    const [payment] = await tx.rows<PaymentRow>(
      sql`SELECT * FROM payment WHERE provider_id = ${providerId} AND id = ${row.payment_id}`,
    );
    const [processor] = await tx.rows<ProcessorRow>(
      sql`SELECT * FROM payment_processor WHERE provider_id = ${providerId} AND id = ${payment.payment_processor_id}`,
    );
    return { row: { ...row, attempts: row.attempts + 1 }, payment, processor };
  });
}

const SILENT = 'The payment processor has not answered for weeks. Check its dashboard, then ask again.';

/**
 * Schedules the next attempt after no response: retries with back-off, then gives up. What was recorded in the meantime
 * stays.
 */
const later = (
  { db, tenant, now }: Outside,
  table: 'payment' | 'payment_refund',
  id: number,
  attempts: number,
): Promise<unknown> => {
  const wait = waitAfter(attempts);
  const next_at = wait === null ? null : instant(now + wait);
  const trouble = wait === null ? SILENT : null;
  return db.transaction(tenant.providerId, (tx) =>
    tx.run(
      table === 'payment'
        ? sql`UPDATE payment SET next_at = ${next_at}, trouble = ${trouble}
          WHERE provider_id = ${tenant.providerId} AND id = ${id} AND next_at IS NOT NULL`
        : sql`UPDATE payment_refund SET next_at = ${next_at}, trouble = ${trouble}
          WHERE provider_id = ${tenant.providerId} AND id = ${id} AND next_at IS NOT NULL`,
    ),
  );
};
