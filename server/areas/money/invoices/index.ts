import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { changeInvoices } from './change-invoices.ts';
import { billedItem } from './billed-item.ts';
import { document } from './document/endpoint.ts';
import { FEED } from './feed.ts';
import { findInvoices } from './reading/find-invoices.ts';
import { invoice } from './invoice.ts';
import {
  invoiceAdjustment,
  invoiceCharge,
  invoiceCredit,
  invoiceDiscount,
  invoiceLineItem,
  invoiceTax,
  payer,
} from './invoice-parts.ts';
import { invoiceCollectors } from './payment/collectors.ts';
import { INVOICE_PROBLEMS } from './problems.ts';
import { INVOICE_NOTICES } from './notices/notice-types.ts';
import { invoiceReader } from './notices/notify.ts';
import { remindJob, sweepReminders } from './notices/reminders.ts';
import { invoicePayee } from './payment/payee.ts';
import { invoiceTaxesCheck, openInvoicesCheck } from './ledger-checks.ts';
import { ledgerChecks, taxRecords } from '../ledger/index.ts';
import { taxedInvoices } from './reading/tax-totals.ts';
import { payees } from '../payments/index.ts';
import { settingsEndpoints } from './settings.ts';
import { soldGoods } from './goods.ts';
import { soldWhole } from './sold.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { applyCredit, applyPayment, markFailed, markPending } from './payment/pay.ts';
export { invoiceCollectors, type AfterFailure, type InvoiceCollector } from './payment/collectors.ts';
export { invoice } from './invoice.ts';
export { lockCustomerInvoices, lockInvoices, type InvoiceRow } from './row.ts';
export { creditPaid, issueCreditNote } from './credit-note.ts';
export {
  issueAll,
  issueInvoice,
  issueReady,
  readyInvoice,
  readyInvoices,
  type Issued,
  type NewInvoice,
  type ReadyInvoice,
} from './issue.ts';
export type { NewLine } from './new-line.ts';
export { numberOf } from './row.ts';
export { partiesOf, type Parties } from './parties.ts';
export { soldWhole, type LineTakenBack, type SoldWhole } from './sold.ts';
export { contentOfInvoice } from './document/content-of.ts';
export { standingsOf, type Standing } from './payment/standing.ts';
export { takeBack, TAKEN_BACK } from './taken-back.ts';
export { bringBack, soldGoods, type ComingBack, type SoldGoods } from './goods.ts';
export type { Content } from './document/content.ts';
export { invoiceSay } from './document/messages.ts';
export { INVOICE_PROBLEMS } from './problems.ts';
export { refundFrom } from './payment/refund.ts';
export { voidInvoice } from './void.ts';

export const invoices: Area = {
  name: 'invoices',
  description: 'Bills for customers: invoices, credit notes, and their payments.',
  tables: TABLES,
  translations: readTranslations('invoices/refusals'),
  resources: [
    invoice,
    invoiceLineItem,
    billedItem,
    invoiceAdjustment,
    invoiceCharge,
    invoiceCredit,
    invoiceDiscount,
    invoiceTax,
    payer,
  ],
  endpoints: [...findInvoices, document, ...changeInvoices, ...settingsEndpoints],
  ports: [invoiceCollectors, soldWhole, soldGoods],
  fills: [
    payees.with(invoicePayee),
    ledgerChecks.with(openInvoicesCheck, invoiceTaxesCheck),
    taxRecords.with(taxedInvoices),
  ],
  feed: FEED,
  notices: Object.values(INVOICE_NOTICES),
  readers: [invoiceReader],
  jobs: [remindJob],
  sweep: sweepReminders,
  problems: INVOICE_PROBLEMS,
  constraints: {
    invoice_charge_once: () => new Problem('conflict', 'This payment has already been applied to the invoice.'),
    invoice_line_entry_once: () => new Problem('conflict', 'A charge of the account has already been billed.'),
    invoice_line_credited: () =>
      new Problem(
        INVOICE_PROBLEMS.credit_exceeds_invoice,
        'Only the amount that has not been credited yet can be credited. Get the invoice again.',
      ),
  },
};
