/** Sales: one row for each line of an invoice or credit note. */
import { below, column, report } from '../report.ts';
import type { Columns } from '../columns.ts';
import { called, boolean, date, id, instant, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { byStatus, discountCode, INVOICE_WHO, invoiceStatus, STATUSES } from './invoices.ts';
import { COUNT, customerColumns, customerVenue, within, withinDays } from './common.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';

const amount = (of: string, means: string) => column(money(), of, means);
const type = column(text(), 'l.type', 'Type of the line.');

const columns: Columns = {
  id: column(id(), 'l.id', 'ID of the line.'),
  ...below(
    'invoice',
    {
      id: column(id(), 'n.id', 'ID of the invoice.'),
      due_date: column(date(), 'n.due_on', 'Last day on which it can be paid in time.'),
      number: column(text(), 'n.number', 'Number of the invoice.'),
      confirmed_at: column(instant(), 'n.created_at', 'When the invoice was issued.'),
      paid_at: column(instant(), 'n.paid_at', 'When the invoice was paid in full.'),
      updated_at: column(instant(), 'n.updated_at', 'When the invoice changed last.'),
      status: column(called('report_invoice_status', oneOf(STATUSES)), invoiceStatus('n'), 'Status of the invoice.'),
      is_credit_note: column(boolean(), `(n.series = 'credit_note')`, 'It takes back an invoice, or a part of one.'),
      'discount_code.name': discountCode('n')['discount_code.name'],
      'discount_code.code': discountCode('n')['discount_code.code'],
    },
    {
      id: 'invoice_id',
      due_date: 'due_date',
      number: 'invoice_number',
      confirmed_at: 'invoice_confirmed_at',
      paid_at: 'paid_at',
      updated_at: 'invoice_updated_at',
      status: 'invoice_status',
      is_credit_note: 'invoice_is_credit_note',
      'discount_code.name': 'discount_code_name',
      'discount_code.code': 'discount_code',
    },
  ),
  ...customerColumns('c'),
  ...customerVenue('v'),
  amount: amount('l.total_minor', 'Total of the line, with fees and taxes.'),
  type,
  'billed_item.object': column(text(), 'l.billed_object', 'Type of the object bought.'),
  'billed_item.id': column(id(), 'l.billed_id', 'ID of what was bought.'),
  description: column(text(), 'l.description', 'The line as the invoice has it.'),
  tax_amount: amount(
    `(SELECT coalesce(sum(f.amount_minor), 0) FROM invoice_line_fee f
      WHERE f.provider_id = l.provider_id AND f.line_id = l.id AND f.kind = 'tax')`,
    'Taxes, those in the price included.',
  ),
  discount_amount: amount('l.discount_minor', 'Amount of the discount.'),
  credit_amount: amount('l.credited_minor', 'Amount taken back by credit notes.'),
  refund_amount: amount(
    `(SELECT coalesce(-sum(x.total_minor), 0) FROM invoice_line x
      JOIN invoice cn ON cn.provider_id = x.provider_id AND cn.id = x.invoice_id
      WHERE x.provider_id = l.provider_id AND x.credits_line_id = l.id AND cn.to_refund_minor > 0)`,
    'Amount returned by credit notes after a payment.',
  ),
};

export const invoiceLineItemsReport = report('invoice_line_items', {
  title: 'lines of invoices',
  description: 'Sales, line by line of each invoice and credit note.',
  who: INVOICE_WHO,
  from: 'invoice_line l',
  joins: {
    n: raw('JOIN invoice n ON n.provider_id = l.provider_id AND n.id = l.invoice_id'),
    c: raw('JOIN customer c ON c.provider_id = l.provider_id AND c.id = l.customer_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
  },
  id: 'l.id',
  venue: null,
  columns,
  sort: '-id',
  customer: 'customer.id',
  filters: {
    ...within('invoice_confirmed_at', 'n.created_at', null),
    ...withinDays('invoice_due_date', 'n.due_on', date, undefined, null),
    ...within('invoice_paid_at', 'n.paid_at', null),
    invoice_status: byStatus('n'),
    ...within('invoice_updated_at', 'n.updated_at', null),
  },
  grouped: {
    by: { type },
    measures: {
      count: COUNT,
      total_amount: amount('sum(l.total_minor)', 'Total of the lines, with fees and taxes.'),
    },
  },
});
