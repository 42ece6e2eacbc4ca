/** Reads an invoice as it is printed. */
import { sql } from '../../../../kernel/db/sql.ts';
import { wallAt } from '../../../../kernel/values/zone.ts';
import type { InvoiceRow } from '../row.ts';
import type { Printable } from './content.ts';
import type { Work } from '../../../../kernel/work.ts';

/** `invoice`: as it is stored. */
export async function readPrintable(work: Work, invoice: InvoiceRow): Promise<Printable> {
  const { tx, providerId, tenant } = work;
  const { id } = invoice;
  const [lines, fees, charges, notes, credits] = (await tx.all([
    sql`SELECT l.id, l.description, l.quantity, l.list_minor AS list, l.discount_minor AS discount, l.total_minor AS total,
               CASE WHEN l.customer_id <> ${invoice.customer_id} THEN nullif(concat_ws(' ', c.first_name, c.last_name), '') END AS customer
        FROM invoice_line l JOIN customer c ON c.provider_id = l.provider_id AND c.id = l.customer_id
        WHERE l.provider_id = ${providerId} AND l.invoice_id = ${id} ORDER BY l.position`,
    sql`SELECT line_id AS line, name, explanation, amount_minor AS amount FROM invoice_line_fee
        WHERE provider_id = ${providerId} AND invoice_id = ${id} ORDER BY id`,
    sql`SELECT c.created_at AS at, p.name AS by, c.amount_minor AS amount
        FROM invoice_charge c JOIN payment_processor p ON p.provider_id = c.provider_id AND p.id = c.payment_processor_id
        WHERE c.provider_id = ${providerId} AND c.invoice_id = ${id} ORDER BY c.id`,
    sql`SELECT number, issued_on AS on, reduces_minor AS reduced FROM invoice
        WHERE provider_id = ${providerId} AND credits_invoice_id = ${id} ORDER BY id`,
    sql`SELECT number FROM invoice WHERE provider_id = ${providerId} AND id = ${invoice.credits_invoice_id}`,
  ])) as any[][];
  return {
    id,
    number: invoice.number,
    isCreditNote: invoice.series === 'credit_note',
    status: invoice.status,
    issuedOn: invoice.issued_on,
    dueOn: invoice.due_on,
    parties: invoice.parties,
    reason: invoice.reason,
    credits: credits[0]?.number ?? null,
    voidExplanation: invoice.void_explanation,
    discountCode: invoice.discount_code,
    list: invoice.list_minor,
    discount: invoice.discount_minor,
    included: invoice.included_minor,
    rounding: invoice.rounding_minor,
    total: invoice.total_minor,
    due: invoice.due_minor,
    reduces: invoice.reduces_minor,
    toCredit: invoice.to_credit_minor,
    toRefund: invoice.to_refund_minor,
    credit: invoice.credit_minor,
    currency: tenant.currency,
    lines: lines.map((line) => ({ ...line, fees: fees.filter((fee) => fee.line === line.id) })) as any,
    charges: charges.map(({ at, by, amount }) => ({ on: wallAt(at, tenant.zone).date, by, amount })),
    creditNotes: notes as any,
  };
}
