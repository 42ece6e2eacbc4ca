import { AMOUNTS } from './reading/amounts.ts';
import {
  boolean,
  date,
  embedded,
  group,
  id,
  instant,
  money,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { STATUSES } from './reading/statuses.ts';

/** Returns the condition that the invoice in this column belongs to the viewer's family. */
export const ofMyInvoice = (column: string) =>
  sql`
    EXISTS (SELECT FROM invoice i WHERE i.provider_id = current_provider_id() AND i.id = ${raw(column)}
      AND ${ofMyPurse('i.customer_id')})`;

export const amount = (column: string) => money().from((t) => raw(`${t}.${column}`));

const parts = (target: string) => embedded(target, { column: 'invoice_id' }).deferred();

export const invoice = resource('invoice', {
  description:
    'A bill for a customer. An invoice is issued once and never changes; it is corrected by a credit note, which is an invoice with amounts below 0. Numbers have no gaps.',
  fields: {
    id: id(),
    number: text().describe('For example `INV-000042`, or `CN-000007` for a credit note. Without gaps in each series.'),
    status: oneOf(STATUSES).describe(
      '`pending_offline`: the customer pays at the desk. `pending`: a payment is under way. `voided`: nothing is due anymore. `upcoming`, `draft` and `skipped` do not occur yet.',
    ),
    issue_date: date().from((t) => raw(`${t}.issued_on`)),
    due_date: date().from((t) => raw(`${t}.due_on`)),
    created_at: instant(),
    is_credit_note: boolean().from((t) => raw(`(${t}.series = 'credit_note')`)),
    total_amount_due: amount('total_minor').describe(
      'Total with discounts, fees and taxes. Below 0 for a credit note.',
    ),
    outstanding_amount: amount('due_minor').describe('Amount left to pay.'),
    payer: ref('payer', 'customer_id').describe('The customer who pays.'),
    subject: group({
      object: text().from((t) => raw(`${t}.about_object`)),
      id: id().from((t) => raw(`${t}.about_id`)),
    }).describe('Why it was issued: the type of the object, for example `checkout`, and its id.'),
    credited_invoice: ref('invoice', 'credits_invoice_id')
      .nullable()
      .describe('The invoice that a credit note takes back. Null for other invoices.'),
    reason: text().nullable().describe('Why a credit note was issued. Null for other invoices.'),
    paid_at: instant().nullable().describe('When it was paid in full. Null until then.'),
    reminded_at: instant().nullable().describe('When the customer was reminded of it. Null if they were not.'),
    voided_at: instant().nullable(),
    void_explanation: text().nullable().describe('Why it was voided.'),
    legacy_invoice_key: text()
      .nullable()
      .describe('Key of the invoice in another system. Null for invoices of this service.'),
    charges: parts('invoice_charge').describe('The payments that were applied.'),
    line_items: embedded('invoice_line_item', { column: 'invoice_id' }, (c) =>
      raw(`(${c}.total_minor >= 0 OR ${c}.credits_line_id IS NOT NULL)`),
    )
      .deferred()
      .describe('Items that were bought or taken back.'),
    discounts: embedded('invoice_discount', { column: 'id' }, (c) => raw(`${c}.discount_minor > 0`))
      .deferred()
      .describe('Discounts on the list prices.'),
    adjustments: embedded('invoice_adjustment', { column: 'invoice_id' }, (c) =>
      raw(`(${c}.total_minor < 0 AND ${c}.credits_line_id IS NULL)`),
    )
      .deferred()
      .describe('Credits of the account that reduced it, for example of a hold. Below 0.'),
    applied_credits: parts('invoice_credit').describe('Account credit that was applied.'),
    taxes: parts('invoice_tax').describe('Each fee and tax on each line.'),
    credit_notes: embedded('invoice', { column: 'credits_invoice_id' }).deferred(),
  },
  visible: { provider: true, customer: (t) => ofMyPurse(`${t}.customer_id`), unregistered: false },
  shown: { total_amount_due: AMOUNTS, outstanding_amount: AMOUNTS },
});
