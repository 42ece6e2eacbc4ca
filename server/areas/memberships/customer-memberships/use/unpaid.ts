/** Memberships that can't be used until an invoice is paid. The invoice itself shows whether it is. */
import { raw, type Sql } from '../../../../kernel/base/db/sql.ts';

const unpaid = (t: string, what: string): Sql =>
  raw(`CASE WHEN ${t}.unpaid_invoice_id IS NOT NULL THEN (SELECT i.${what} FROM invoice i
    WHERE i.provider_id = ${t}.provider_id AND i.id = ${t}.unpaid_invoice_id AND i.due_minor > 0) END`);

/**
 * Returns the number of the unpaid invoice that blocks customer membership `t`; null if there is none, or it is paid.
 */
export const selectUnpaidNumber = (t: string): Sql => unpaid(t, 'number');

/** Returns the id of that invoice. */
export const unpaidInvoiceOf = (t: string): Sql => unpaid(t, 'id');
