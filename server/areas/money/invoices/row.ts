/** An invoice as it is stored, and the only way to lock one. */
import { hasId, lockRows } from '../../../kernel/work/unit/row.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Status } from './reading/statuses.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type InvoiceRow = Row<'invoice', { readonly status: Status }>;

/** Reads the current rows without locking them. */
export const readInvoices = ({ tx, providerId }: Work, ids: readonly number[]): Promise<InvoiceRow[]> =>
  tx.rows<InvoiceRow>(sql`SELECT * FROM invoice WHERE provider_id = ${providerId} AND ${hasId('id', ids)} ORDER BY id`);

/** Returns the number of an invoice as SQL, for a statement that runs after it has been issued. */
export const numberOf = ({ providerId }: Work, id: number): Sql =>
  sql`(SELECT number FROM invoice WHERE provider_id = ${providerId} AND id = ${id})`;

/**
 * Locks invoices in the order of their ids and returns them, marked as about to change. They are locked before the
 * accounts of customers.
 */
export async function lockInvoices(work: Work, ids: readonly number[]): Promise<InvoiceRow[]> {
  const rows = await lockRows<InvoiceRow>(work, 'invoice', ids);
  for (const row of rows) work.touch('invoice', row.id, row);
  return rows;
}

/** Locks all invoices of a customer, and those with a line for them, by id, before they get another customer. */
export async function lockCustomerInvoices({ tx, providerId }: Work, customer: number): Promise<void> {
  await tx.run(sql`
    SELECT FROM invoice WHERE provider_id = ${providerId} AND id IN (
      SELECT id FROM invoice WHERE provider_id = ${providerId} AND customer_id = ${customer}
      UNION ALL SELECT invoice_id FROM invoice_line WHERE provider_id = ${providerId} AND customer_id = ${customer})
    ORDER BY id FOR NO KEY UPDATE`);
}

/** Locks an invoice. @throws Error if it does not exist: the caller knows its id from a row of the same business */
export async function lockInvoice(work: Work, id: number): Promise<InvoiceRow> {
  const [row] = await lockInvoices(work, [id]);
  if (!row) throw new Error(`there is no invoice ${id}`);
  return row;
}

export function checkIsInvoice({ series }: InvoiceRow): void {
  if (series === 'credit_note')
    throw new Problem('conflict', 'This is a credit note. Use the invoice that it belongs to.');
}
