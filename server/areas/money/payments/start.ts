/** Starts payments and refunds, and requests their cancellation: writes rows only. drive.ts calls the processor. */
import {
  amountText,
  at,
  lockPayment,
  toPaidPayment,
  payerColumns,
  payloadOf,
  readProcessor,
  savedMethod,
  type KnownPayment,
  type Payer,
  type PaymentRow,
  type ProcessorRow,
  type RefundRow,
} from './rows.ts';
import { cashKeepers, isCashDrawer, type AtDesk } from './cash-keepers.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { insertWhole, updateRow } from '../../../kernel/work/unit/row.ts';
import { isSettled, REFUND_STATES } from './rules/states.ts';
import { LEASE_MS } from './rules/next.ts';
import { payees, type Payee } from './payees.ts';
import { paymentFeed, paymentRefundFeed } from './feed.ts';
import { lockAccounts, post } from '../ledger/index.ts';
import { processorOf } from './processors.ts';
import { refunded } from './postings.ts';
import { SCENARIOS } from './sandbox/scenarios.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The part of a payment that can be checked before its object is known. */
interface PaymentAsked {
  /** id of the `payment_processor` */
  readonly processor: number;
  /** id of the customer who pays */
  readonly payer: number;
  /** minor units, more than 0 */
  readonly amount: number;
  /** id of a saved method of the payer */
  readonly method?: number | null;
  /** outcome that the sandbox plays */
  readonly scenario?: string | null;
}

/** The object that is paid, and the addresses to which browsers return. */
interface PaymentFor {
  readonly payee: { readonly name: string; readonly id: number };
  /**
   * text for the customer on the processor's page and on their statement. As SQL, it can contain values that are known
   * only when the statement runs.
   */
  readonly description: string | Sql;
  readonly saveMethod?: boolean;
  readonly returnTo?: string;
  readonly cancelTo?: string;
}

export type NewPayment = PaymentAsked & PaymentFor;

/** A payment that can start: its processor, its payer and their method have been read. */
export interface ReadyPayment {
  readonly asked: PaymentAsked;
  readonly processor: ProcessorRow;
  readonly payer: Payer;
}

/** Returns the payee with this name. @throws Error if no area has declared it */
export function payeeOf(name: string): Payee {
  const found = payees.items.find((one) => one.name === name);
  if (!found) throw new Error(`no area takes payments for "${name}"`);
  return found;
}

/**
 * Starts a payment and returns its id. If the processor is remote, call `syncPayment` once the transaction has
 * committed; otherwise the worker does so a minute later. A payment at the desk succeeds immediately: the payee's
 * `paid` has been called when this returns.
 * @throws Problem `parameter_invalid` about `payment_processor`, `payment_method` or `scenario`
 */
export const startPayment = async (work: Work, asked: NewPayment): Promise<number> =>
  (await beginPayment(work, asked)).id;

/** Starts a payment like `startPayment`. `paid`: it was paid at the desk, and `paid` of its payee has been called. */
export const beginPayment = async (work: Work, asked: NewPayment): Promise<{ id: number; paid: boolean }> =>
  begin(work, await readyPayment(work, asked), asked);

/** A saved method with what payments by it need. */
export interface KnownMethod {
  readonly processor: ProcessorRow;
  readonly payer: Payer & { readonly usable: boolean };
}

/** Reads methods by their ids, for many payments. Their transactions then check whether the method `stillStands`. */
export async function readMethods(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  methods: readonly number[],
): Promise<ReadonlyMap<number, KnownMethod>> {
  const [rows, processors] = await Promise.all([
    tx.rows<KnownMethod['payer'] & { method: number; processor: number }>(sql`
      SELECT m.id AS method, m.payment_processor_id AS processor, m.removed_at IS NULL AS usable,
        ${payerColumns(sql`m.payment_processor_id`)}
      FROM payment_method m JOIN customer c ON c.provider_id = m.provider_id AND c.id = m.customer_id
      WHERE m.provider_id = ${providerId} AND m.id = ANY(${methods}::bigint[])`),
    tx.rows<ProcessorRow>(sql`SELECT * FROM payment_processor WHERE provider_id = ${providerId}`),
  ]);
  const byId = new Map(processors.map((row) => [row.id, row]));
  return new Map(
    rows.map(({ method, processor, ...payer }) => [method, { processor: byId.get(processor)!, payer }] as const),
  );
}

/**
 * Returns the condition that the method still belongs to the payer, is unchanged, and can be charged. `sealed`: the
 * sealed settings of its processor as they were read.
 */
export const stillStands = (
  { providerId }: Pick<Work, 'providerId'>,
  { method, payer, sealed }: { readonly method: Sql; readonly payer: Sql; readonly sealed: Sql },
): Sql => sql`EXISTS (SELECT FROM payment_method m
  JOIN payment_processor o ON o.provider_id = m.provider_id AND o.id = m.payment_processor_id
  WHERE m.provider_id = ${providerId} AND m.id = ${method} AND m.customer_id = ${payer} AND m.removed_at IS NULL
    AND o.disabled_at IS NULL AND o.sealed IS NOT DISTINCT FROM ${sealed}::text)`;

/**
 * Reads everything that a payment needs, before rows are locked that others wait for. `startReady` starts it. `known`:
 * the method as it was read before, if it is unchanged.
 * @throws Problem as `startPayment`
 */
export async function readyPayment(work: Work, asked: PaymentAsked, known?: KnownMethod): Promise<ReadyPayment> {
  if (!Number.isSafeInteger(asked.amount) || asked.amount <= 0)
    throw new Error('the amount of a payment must be more than 0');
  // Sent together: they share a round trip. A problem of the processor is reported first.
  const [processor, payer] = known
    ? [known.processor, known.payer]
    : await Promise.all([readProcessor(work, asked.processor), readPayer(work, asked)]);
  const row = usable(processor, asked.processor);
  if (asked.method && !payer.usable) throw noMethod();
  checkScenario(row.kind, asked.scenario ?? null);
  if (processorOf(row.kind).immediate && work.viewer.mode !== 'provider')
    throw invalid('payment_processor', {
      staff: 'Only staff can record what was paid at the desk.',
      customer: 'Choose another way to pay.',
    });
  return { asked, processor: row, payer };
}

/** Starts the payment, and returns it for `syncStartedPayment`. */
export async function startReady(work: Work, ready: ReadyPayment, what: PaymentFor): Promise<KnownPayment> {
  const { row } = await begin(work, ready, what);
  return { row, processor: ready.processor, payer: ready.payer };
}

/**
 * Starts several payments with remote processors in one statement. Their descriptions are plain texts.
 * @throws Error if one is paid at the desk
 */
export async function startAll(
  work: Work,
  all: readonly { readonly ready: ReadyPayment; readonly what: PaymentFor & { readonly description: string } }[],
): Promise<KnownPayment[]> {
  if (all.some(({ ready }) => processorOf(ready.processor.kind).immediate))
    throw new Error('desk payments are started one at a time');
  const values = all.map(({ ready, what }) => valuesOf(ready, what));
  const each = (name: keyof ReturnType<typeof valuesOf>) => values.map((one) => one[name]);
  const rows = await work.tx.rows<PaymentRow>(sql`
    INSERT INTO payment (provider_id, payment_processor_id, customer_id, amount_minor, payee, payee_id, description,
      payment_method_id, save_method, return_to, cancel_to, scenario, status, next_at, created_at, updated_at)
    SELECT ${work.providerId}, processor, payer, amount, payee, about, description, method, save_method,
      return_to, cancel_to,
      scenario, 'started', ${instant(work.now + LEASE_MS)}::timestamptz, ${at(work)}::timestamptz,
      ${at(work)}::timestamptz
    FROM unnest(${each('payment_processor_id')}::bigint[], ${each('customer_id')}::bigint[],
      ${each('amount_minor')}::bigint[],
      ${each('payee')}::text[], ${each('payee_id')}::bigint[], ${each('description')}::text[],
      ${each('payment_method_id')}::bigint[], ${each('save_method')}::boolean[], ${each('return_to')}::text[],
      ${each('cancel_to')}::text[], ${each('scenario')}::text[]) WITH ORDINALITY
      AS p (processor, payer, amount, payee, about, description, method, save_method, return_to, cancel_to,
        scenario, nth)
    ORDER BY nth RETURNING *`);
  return rows.map((row, n) => {
    work.touch('payment', row.id, null);
    noteStarted(work, row);
    work.leave('payment', row.id, row);
    const { processor, payer } = all[n].ready;
    return { row, processor, payer };
  });
}

const valuesOf = ({ asked, processor }: ReadyPayment, what: PaymentFor) => ({
  payment_processor_id: processor.id,
  customer_id: asked.payer,
  amount_minor: asked.amount,
  payee: payeeOf(what.payee.name).name,
  payee_id: what.payee.id,
  description:
    typeof what.description === 'string' ? what.description.slice(0, 200) : sql`left(${what.description}, 200)`,
  payment_method_id: asked.method ?? null,
  save_method: what.saveMethod ?? false,
  return_to: what.returnTo ?? '',
  cancel_to: what.cancelTo ?? '',
  scenario: asked.scenario ?? null,
});

function noteStarted(work: Work, row: PaymentRow): void {
  work.record(paymentFeed.created, row.id, payloadOf(work, row));
  work.effect('payment', 'payment', row.id, {
    amount: amountText(work, row.amount_minor),
    customer: row.customer_id,
    payment_processor: row.payment_processor_id,
  });
}

async function begin(
  work: Work,
  ready: ReadyPayment,
  what: PaymentFor,
): Promise<{ id: number; paid: boolean; row: PaymentRow }> {
  const { asked, processor } = ready;
  const payee = payeeOf(what.payee.name);
  const kind = processorOf(processor.kind);
  const values = valuesOf(ready, what);
  const row = await insertWhole<PaymentRow>(
    work,
    'payment',
    kind.immediate
      ? { ...values, status: 'succeeded', succeeded_at: at(work), taken: true }
      : { ...values, status: 'started', next_at: instant(work.now + LEASE_MS) },
  );
  const { id } = row;
  noteStarted(work, row);
  if (kind.immediate) {
    work.record(paymentFeed.succeeded, id, payloadOf(work, row));
    const answer = await payee.paid(work, toPaidPayment(row));
    if (!answer.taken) throw new Problem('conflict', answer.why);
    await noteAtDesk(work, processor, { amount: asked.amount, payment: id, refund: null });
  } else work.leave('payment', id, row);
  return { id, paid: kind.immediate, row };
}

async function noteAtDesk(
  work: Work,
  processor: ProcessorRow,
  money: Pick<AtDesk, 'amount' | 'payment' | 'refund'>,
): Promise<void> {
  const at = { ...money, processor: processor.id, isDrawer: isCashDrawer(processor) };
  for (const keeper of cashKeepers.items) await keeper.note(work, at);
}

export function usable(row: ProcessorRow | undefined, id: number): ProcessorRow {
  const customer = 'This way to pay is no longer available. Choose another one.';
  if (!row) throw invalid('payment_processor', { staff: `There is no payment processor with the id ${id}.`, customer });
  if (row.disabled_at !== null)
    throw invalid('payment_processor', {
      staff: `${row.name} is turned off. Turn it on, or use another one.`,
      customer,
    });
  return row;
}

/** Reads the payer. `usable`: the payer has the method with this processor. Rows of methods are never deleted. */
const readPayer = async (
  work: Work,
  { payer, processor, method }: PaymentAsked,
): Promise<Payer & { usable: boolean }> =>
  (await work.tx.one<Payer & { usable: boolean }>(sql`
    SELECT ${payerColumns(sql`${processor}`)}, m.id IS NOT NULL AND m.removed_at IS NULL AS usable
    FROM customer c ${savedMethod(sql`${method ?? null}::bigint`, sql`${processor}`)}
    WHERE c.provider_id = ${work.providerId} AND c.id = ${payer}`))!;

const noMethod = (): Problem =>
  invalid('payment_method', {
    staff: 'The customer has no such payment method with this payment processor. List their payment methods.',
    customer: 'This payment method is no longer available. Choose another one.',
  });

export function checkScenario(kind: string, scenario: string | null): void {
  if (scenario === null) return;
  if (kind !== 'sandbox') throw invalid('scenario', 'Only the sandbox plays scenarios. Leave it out.');
  if (!Object.hasOwn(SCENARIOS, scenario))
    throw invalid('scenario', `Must be one of: ${Object.keys(SCENARIOS).join(', ')}.`);
}

/**
 * Requests the cancellation of a payment. The processor has not been called yet: call `syncPayment` once the
 * transaction has committed, or the worker does. If the money arrives nevertheless, it is offered to the payee. Returns
 * false if there was nothing to cancel.
 */
export async function askCancel(work: Work, id: number): Promise<boolean> {
  const row = await lockPayment(work, id);
  if (isSettled(row.status) || row.cancel_asked_at !== null) return false;
  work.touch('payment', id, row);
  await updateRow(work, 'payment', id, { cancel_asked_at: at(work), next_at: at(work), attempts: 0, trouble: null });
  work.record(paymentFeed.updated, id, { ...payloadOf(work, row), status: row.status });
  return true;
}

/**
 * Returns the amount that can still be refunded, in minor units: without earlier refunds, and without what the
 * customer's bank has taken.
 */
export async function refundable(work: Pick<Work, 'tx' | 'providerId'>, row: PaymentRow): Promise<number> {
  if (row.status !== 'succeeded') return 0;
  const { disputed } = (await work.tx.one<{ disputed: number }>(
    sql`SELECT coalesce(sum(amount_minor), 0)::bigint AS disputed FROM payment_dispute
        WHERE provider_id = ${work.providerId} AND payment_id = ${row.id} AND status <> 'won'`,
  ))!;
  return Math.max(0, row.amount_minor - row.refunded_minor - disputed);
}

/**
 * Refunds an amount that is on the payer's `unapplied` account, and returns the id of the refund. If the processor is
 * remote, the worker sends it.
 * @throws Problem `conflict` if the amount can't be refunded
 */
export async function startRefund(
  work: Work,
  { payment, amount, why, retries }: { payment: number; amount: number; why: string; retries?: number },
): Promise<number> {
  const row = await lockPayment(work, payment);
  const most = await refundable(work, row);
  if (amount > most)
    throw new Problem('conflict', `At most ${amountText(work, most)} of this payment can be refunded.`, {
      amount: [`Must be at most ${amountText(work, most)}.`],
    });
  await checkUnapplied(work, row, amount);
  const processor = await readProcessor(work, row.payment_processor_id);
  const done = processorOf(processor!.kind).immediate;
  const values = { payment_id: payment, amount_minor: amount, explanation: why, retries_id: retries };
  work.touch('payment', payment, row);
  const refund = await insertWhole<RefundRow>(
    work,
    'payment_refund',
    done
      ? { ...values, status: 'succeeded', succeeded_at: at(work) }
      : { ...values, status: REFUND_STATES[0], next_at: at(work) },
  );
  const { id } = refund;
  await post(work, refunded(row, refund));
  const payload = refundPayload(work, row, refund);
  work.record(paymentRefundFeed.created, id, payload);
  if (done) work.record(paymentRefundFeed.succeeded, id, payload);
  work.effect('refund', 'payment', payment, { amount: payload.amount, customer: row.customer_id, explanation: why });
  if (done) await noteAtDesk(work, processor!, { amount, payment, refund: id });
  return id;
}

/**
 * Checks that the amount is still on the `unapplied` account: it has neither been applied to an invoice nor become
 * account credit.
 */
async function checkUnapplied(work: Work, row: PaymentRow, amount: number): Promise<void> {
  await lockAccounts(work, [row.customer_id]);
  const balance = await work.tx.one<{ unapplied: number }>(
    sql`SELECT -amount_minor AS unapplied FROM customer_balance WHERE provider_id = ${work.providerId}
          AND customer_id = ${row.customer_id} AND account = 'unapplied'`,
  );
  if ((balance?.unapplied ?? 0) < amount)
    throw new Problem('conflict', 'This amount is no longer owed to the customer, so it can’t be refunded.');
}

export const refundPayload = (work: Work, row: PaymentRow, refund: RefundRow) => ({
  payment_refund: refund.id,
  payment: row.id,
  customer: row.customer_id,
  amount: amountText(work, refund.amount_minor),
});
