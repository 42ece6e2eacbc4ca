/** Who sees to it that invoices are paid: an area after this one fills the port, and decides what a failure means. */
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import type { PaidPayment } from '../payments/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type AfterFailure = 'failed' | 'retrying' | 'retry_failed';

export interface InvoiceCollector extends Item {
  /**
   * A payment of an invoice failed. The status that the invoice gets; null: it is not one of those that are collected.
   * `why` is a sentence for the customer. The invoice and the payment are locked.
   */
  failed(work: Work, payment: PaidPayment, why: string): Promise<AfterFailure | null>;
}

export const invoiceCollectors = new Port<InvoiceCollector>('invoice collector', () => 'invoice');

export async function statusAfter(work: Work, payment: PaidPayment, why: string): Promise<AfterFailure> {
  for (const collector of invoiceCollectors.items) {
    const status = await collector.failed(work, payment, why);
    if (status !== null) return status;
  }
  return 'failed';
}
