/** Rows of payments, refunds and disputes, and their locks. */
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import type { PaidPayment } from './payees.ts';
import type { ProcessorName } from './processor.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type PaymentRow = Row<'payment'>;

export type RefundRow = Row<'payment_refund'>;

export type SetupRow = Row<'payment_method_setup'>;

export type DisputeRow = Row<'payment_dispute'>;

export type ProcessorRow = Row<
  'payment_processor',
  { readonly kind: ProcessorName; readonly settings: Readonly<Record<string, string>> }
>;

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
  sql`LEFT JOIN payment_method m ON m.provider_id = c.provider_id AND m.id = ${method} AND m.customer_id = c.id
    AND m.payment_processor_id = ${processor}`;

/**
 * Locks payments in the order of their ids, before the accounts of customers. The rows of a payment are locked after
 * it.
 */
export const lockPayments = (work: Work, ids: readonly number[]): Promise<PaymentRow[]> =>
  lockRows<PaymentRow>(work, 'payment', ids);

/** Locks all payments of a customer by id, before they get another one. */
export async function lockCustomerPayments({ tx, providerId }: Work, customer: number): Promise<void> {
  await tx.run(sql`SELECT FROM payment WHERE provider_id = ${providerId} AND customer_id = ${customer}
    ORDER BY id FOR NO KEY UPDATE`);
}

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

export const toPaidPayment = (row: PaymentRow): PaidPayment => ({
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
