/** Memberships that can't be used until an invoice is paid. Whether it is, the invoice itself says. */
import { raw, type Sql } from '../../../../kernel/base/db/sql.ts';

const unpaid = (t: string, what: string): Sql =>
  raw(`CASE WHEN ${t}.unpaid_invoice_id IS NOT NULL THEN (SELECT i.${what} FROM invoice i
    WHERE i.provider_id = ${t}.provider_id AND i.id = ${t}.unpaid_invoice_id AND i.due_minor > 0) END`);

/** Number of the invoice that keeps customer membership `t` from being used; null: none. As soon as it is paid, none does. */
export const unpaidOf = (t: string): Sql => unpaid(t, 'number');

/** Its id. */
export const unpaidInvoiceOf = (t: string): Sql => unpaid(t, 'id');
