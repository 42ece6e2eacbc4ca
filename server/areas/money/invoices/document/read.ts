/** Reads invoices for printing. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { InvoiceRow } from '../row.ts';
import type { Printable } from './content.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Reads an invoice for printing. `invoice`: its row. */
export const readPrintable = async (work: Work, invoice: InvoiceRow): Promise<Printable> =>
  (await readPrintables(work, [invoice]))[0];

type Line = Printable['lines'][number];
type LineRow = Omit<Line, 'fees'> & { readonly invoice: number; readonly id: number };
type FeeRow = Line['fees'][number] & { readonly line: number };
type NoteRow = Printable['creditNotes'][number] & { readonly invoice: number };
interface ChargeRow {
  readonly invoice: number;
  readonly at: number;
  readonly by: string;
  readonly amount: number;
}

/** Reads several invoices, in their order, in one round trip. */
export async function readPrintables(work: Work, invoices: readonly InvoiceRow[]): Promise<Printable[]> {
  const { tx, providerId } = work;
  const ids = invoices.map(({ id }) => id);
  const [lines, fees, charges, notes, credited] = (await tx.all([
    sql`SELECT l.invoice_id AS invoice, l.id, l.description, l.quantity, l.list_minor AS list,
      l.discount_minor AS discount,
               l.total_minor AS total,
               CASE WHEN l.customer_id <> i.customer_id THEN nullif(concat_ws(' ', c.first_name, c.last_name), '')
                 END AS customer
        FROM invoice_line l JOIN invoice i ON i.provider_id = l.provider_id AND i.id = l.invoice_id
          JOIN customer c ON c.provider_id = l.provider_id AND c.id = l.customer_id
        WHERE l.provider_id = ${providerId} AND l.invoice_id = ANY(${ids}::bigint[]) ORDER BY l.invoice_id, l.position`,
    sql`SELECT line_id AS line, name, explanation, amount_minor AS amount FROM invoice_line_fee
        WHERE provider_id = ${providerId} AND invoice_id = ANY(${ids}::bigint[]) ORDER BY id`,
    sql`SELECT c.invoice_id AS invoice, c.created_at AS at, p.name AS by, c.amount_minor AS amount
        FROM invoice_charge c JOIN payment_processor p ON p.provider_id = c.provider_id
          AND p.id = c.payment_processor_id
        WHERE c.provider_id = ${providerId} AND c.invoice_id = ANY(${ids}::bigint[]) ORDER BY c.id`,
    sql`SELECT credits_invoice_id AS invoice, number, issued_on AS on, reduces_minor AS reduced FROM invoice
        WHERE provider_id = ${providerId} AND credits_invoice_id = ANY(${ids}::bigint[]) ORDER BY id`,
    sql`SELECT id, number FROM invoice
        WHERE provider_id = ${providerId}
          AND id = ANY(${invoices.map((one) => one.credits_invoice_id ?? null)}::bigint[])`,
  ])) as [LineRow[], FeeRow[], ChargeRow[], NoteRow[], { id: number; number: string }[]];
  const feesOf = Map.groupBy(fees, ({ line }) => line);
  const linesOf = Map.groupBy(lines, ({ invoice: of }) => of);
  const chargesOf = Map.groupBy(charges, ({ invoice: of }) => of);
  const notesOf = Map.groupBy(notes, ({ invoice: of }) => of);
  const numbers = new Map(credited.map(({ id, number }) => [id, number]));
  return invoices.map((invoice) => ({
    ...printed(work, invoice),
    credits: numbers.get(invoice.credits_invoice_id!) ?? null,
    lines: (linesOf.get(invoice.id) ?? []).map((line) => ({ ...line, fees: feesOf.get(line.id) ?? [] })),
    charges: (chargesOf.get(invoice.id) ?? []).map(({ at, by, amount }) => ({
      on: wallAt(at, work.tenant.zone).date,
      by,
      amount,
    })),
    creditNotes: notesOf.get(invoice.id) ?? [],
  }));
}

/** Returns the values from the invoice's own row. */
const printed = (work: Work, invoice: InvoiceRow) => ({
  id: invoice.id,
  number: invoice.number,
  isCreditNote: invoice.series === 'credit_note',
  status: invoice.status,
  issuedOn: invoice.issued_on,
  dueOn: invoice.due_on,
  parties: invoice.parties,
  reason: invoice.reason,
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
  currency: work.tenant.currency,
});
