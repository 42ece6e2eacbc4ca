/** An invoice as it is stored, and the one way to hold one still. */
import { hasId, lockRows } from '../../../kernel/work/unit/row.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Status } from './statuses.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface InvoiceRow extends Record<string, any> {
  readonly id: number;
  readonly series: 'invoice' | 'credit_note';
  readonly number: string;
  /** who pays */
  readonly customer_id: number;
  readonly status: Status;
  readonly due_on: string;
  readonly total_minor: number;
  readonly paid_minor: number;
  readonly credit_minor: number;
  readonly reduced_minor: number;
  readonly refunded_minor: number;
  /** what is left to pay */
  readonly due_minor: number;
  /** when the customer was reminded of it */
  readonly reminded_at: number | null;
}

/** As they are now, locked by nobody. */
export const readInvoices = ({ tx, providerId }: Work, ids: readonly number[]): Promise<InvoiceRow[]> =>
  tx.rows<InvoiceRow>(sql`SELECT * FROM invoice WHERE provider_id = ${providerId} AND ${hasId('id', ids)} ORDER BY id`);

/** The number of an invoice, for a statement that runs when it has been issued. */
export const numberOf = ({ providerId }: Work, id: number): Sql =>
  sql`(SELECT number FROM invoice WHERE provider_id = ${providerId} AND id = ${id})`;

/** Invoices in the order of their ids, as they are; said to change. They come before the accounts of customers. */
export async function lockInvoices(work: Work, ids: readonly number[]): Promise<InvoiceRow[]> {
  const rows = await lockRows<InvoiceRow>(work, 'invoice', ids);
  for (const row of rows) work.touch('invoice', row.id, row);
  return rows;
}

/** @throws Error where there is none: the caller knows it from a row of the same business */
export async function lockInvoice(work: Work, id: number): Promise<InvoiceRow> {
  const [row] = await lockInvoices(work, [id]);
  if (!row) throw new Error(`there is no invoice ${id}`);
  return row;
}

export function checkIsInvoice({ series }: InvoiceRow): void {
  if (series === 'credit_note')
    throw new Problem('conflict', 'This is a credit note. Use the invoice that it belongs to.');
}
