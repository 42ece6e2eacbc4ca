/** Collection of unpaid invoices: a later area fills the port, and decides the consequence of a failure. */
import { Port, type Item } from '../../../../kernel/base/fields/port.ts';
import type { PaidPayment } from '../../payments/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export type AfterFailure = 'failed' | 'retrying' | 'retry_failed';

export interface InvoiceCollector extends Item {
  /**
   * Called when a payment of an invoice failed. Returns the new status of the invoice, or null if this invoice is not
   * collected. `why` is a sentence for the customer. The invoice and the payment are locked.
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
