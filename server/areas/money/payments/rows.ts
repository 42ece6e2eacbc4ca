/** Rows of payments, refunds and disputes, and their locks. */
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import type { DisputeState, PaymentState, RefundState } from './rules/states.ts';
import type { PaidPayment } from './payees.ts';
import type { ProcessorName } from './processor.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface PaymentRow extends Record<string, unknown> {
  readonly id: number;
  readonly payment_processor_id: number;
  readonly customer_id: number;
  readonly amount_minor: number;
  readonly payee: string;
  readonly payee_id: number;
  readonly description: string;
  readonly status: PaymentState;
  readonly external: string | null;
  readonly action_url: string | null;
  readonly failure: string | null;
  readonly payment_method_id: number | null;
  readonly save_method: boolean;
  readonly return_to: string;
  readonly cancel_to: string;
  readonly scenario: string | null;
  readonly cancel_asked_at: number | null;
  readonly failed_at: number | null;
  readonly taken: boolean | null;
  readonly refunded_minor: number;
  readonly next_at: number | null;
  readonly attempts: number;
  readonly created_at: number;
}

export interface RefundRow extends Record<string, unknown> {
  readonly id: number;
  readonly payment_id: number;
  readonly amount_minor: number;
  readonly explanation: string;
  readonly status: 'started' | RefundState;
  readonly external: string | null;
  readonly next_at: number | null;
  readonly attempts: number;
}

export interface DisputeRow extends Record<string, unknown> {
  readonly id: number;
  readonly payment_id: number;
  readonly external: string;
  readonly amount_minor: number;
  readonly status: DisputeState;
}

export interface ProcessorRow extends Record<string, unknown> {
  readonly id: number;
  readonly kind: ProcessorName;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly sealed: string | null;
  readonly secrets: readonly string[];
  readonly disabled_at: number | null;
}

/** The payer, as the processor must know them. */
export interface Payer extends Record<string, unknown> {
  readonly email: string | null;
  readonly name: string;
  /** token of the saved method, if there is one */
  readonly token: string | null;
  readonly owner_token: string | null;
}

/** A payment with everything its processor must know. */
export interface KnownPayment {
  readonly row: PaymentRow;
  readonly processor: ProcessorRow;
  readonly payer: Payer;
}

/** Returns columns of the customer `c` and their saved method `m`, if there is one. */
export const payerColumns = (
  processor: Sql,
): Sql => sql`c.email, concat_ws(' ', c.first_name, c.last_name) AS name, m.token,
  (SELECT o.owner_token FROM payment_method o WHERE o.provider_id = c.provider_id AND o.customer_id = c.id
    AND o.payment_processor_id = ${processor} AND o.owner_token IS NOT NULL ORDER BY o.id DESC LIMIT 1) AS owner_token`;

/** Returns the join of `m` to the customer `c`. */
export const savedMethod = (method: Sql, processor: Sql): Sql =>
  sql`LEFT JOIN payment_method m ON m.provider_id = c.provider_id AND m.id = ${method} AND m.customer_id = c.id AND m.payment_processor_id = ${processor}`;

/**
 * Locks payments in the order of their ids, before the accounts of customers. The rows of a payment are locked after
 * it.
 */
export const lockPayments = (work: Work, ids: readonly number[]): Promise<PaymentRow[]> =>
  lockRows<PaymentRow>(work, 'payment', ids);

/** Locks a payment. @throws Problem `not_found` */
export async function lockPayment(work: Work, id: number): Promise<PaymentRow> {
  const [row] = await lockPayments(work, [id]);
  if (!row) throw notFound();
  return row;
}

/** Reads the current row without a lock. */
export const readPayment = (work: Pick<Work, 'tx' | 'providerId'>, id: number): Promise<PaymentRow | undefined> =>
  work.tx.one<PaymentRow>(sql`SELECT * FROM payment WHERE provider_id = ${work.providerId} AND id = ${id}`);

export const readRefund = (work: Pick<Work, 'tx' | 'providerId'>, id: number): Promise<RefundRow | undefined> =>
  work.tx.one<RefundRow>(sql`SELECT * FROM payment_refund WHERE provider_id = ${work.providerId} AND id = ${id}`);

export const readProcessor = (work: Pick<Work, 'tx' | 'providerId'>, id: number): Promise<ProcessorRow | undefined> =>
  work.tx.one<ProcessorRow>(sql`SELECT * FROM payment_processor WHERE provider_id = ${work.providerId} AND id = ${id}`);

export const paidOf = (row: PaymentRow): PaidPayment => ({
  id: row.id,
  processor: row.payment_processor_id,
  payer: row.customer_id,
  amount: row.amount_minor,
  about: row.payee_id,
});

export const amountText = (work: Work, minor: number): string =>
  formatDecimal({ minor, currency: work.tenant.currency });

export const payloadOf = (work: Work, row: PaymentRow) => ({
  payment: row.id,
  customer: row.customer_id,
  payment_processor: row.payment_processor_id,
  amount: amountText(work, row.amount_minor),
});

export const at = (work: Work) => instant(work.now);
