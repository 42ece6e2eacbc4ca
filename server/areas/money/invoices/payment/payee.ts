/** Payments of an invoice that was issued before it is paid. */
import { amountOf } from '../feed.ts';
import { markFailed, noteCharge, noteCharges } from './pay.ts';
import { bringBack } from '../goods.ts';
import { creditPaid } from '../credit-note.ts';
import { statusAfter } from './collectors.ts';
import { lockInvoice, lockInvoices, readInvoices, type InvoiceRow } from '../row.ts';
import { postLater } from '../../ledger/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { takeId, takeIds } from '../../../../kernel/work/unit/row.ts';
import type { PaidPayment, Payee } from '../../payments/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Held {
  readonly invoice: InvoiceRow;
  /** id of the row that will record the payment */
  readonly charge: number;
}

async function hold(work: Work, id: number): Promise<Held> {
  const [invoice, charge] = await Promise.all([lockInvoice(work, id), takeId(work, 'invoice_charge')]);
  return { invoice, charge };
}

/** Handles several invoices, each with one payment. */
const together: Payee['together'] = {
  async lock(work, ids): Promise<Held[]> {
    const [rows, charges] = await Promise.all([lockInvoices(work, ids), takeIds(work, 'invoice_charge', ids.length)]);
    return rows.map((invoice, n) => ({ invoice, charge: charges[n] }));
  },
  async paid(work, payments, held: readonly Held[]): Promise<boolean> {
    const byInvoice = new Map(held.map((one) => [one.invoice.id, one]));
    const ids = [...new Set(payments.map(({ about }) => about))];
    const owed = ({ about, amount }: PaidPayment) => amount <= (byInvoice.get(about)?.invoice.due_minor ?? 0);
    if (ids.length !== payments.length || !payments.every(owed)) return false;
    const paid = noteCharges(
      work,
      payments.map(({ id, processor, amount, about }) => {
        const { invoice, charge } = byInvoice.get(about)!;
        return { invoice, charge: { id: charge, payment: id, processor, amount, from: 'clearing' } };
      }),
    );
    postLater(work, paid);
    for (const after of await readInvoices(work, ids)) work.leave('invoice', after.id, after);
    return true;
  },
};

export const invoicePayee: Payee<Held> = {
  name: 'invoice',
  description: 'An invoice that is paid after it was issued.',
  resource: 'invoice',
  lock: hold,
  paid: async (work, { id, processor, amount, about }, held) => {
    const { invoice, charge } = held ?? (await hold(work, about));
    if (amount > invoice.due_minor)
      return { taken: false, why: `Invoice ${invoice.number} was already paid, or is no longer due.` };
    const paid = noteCharge(work, invoice, { id: charge, payment: id, processor, amount, from: 'clearing' });
    postLater(work, [paid]);
    const [after] = await readInvoices(work, [about]);
    work.leave('invoice', about, after);
    return { taken: true };
  },
  together,
  failed: async (work, payment, why) => markFailed(work, payment.about, await statusAfter(work, payment, why)),
  bringBack: async (work, about, goods) => (await bringBack(work, about, goods)).noted,
  giveBack: async (work, { about }, amount, why) => {
    const note = await creditPaid(work, { invoice: about, amount, why, to: 'unapplied', dueStays: true });
    if (note.toRefund !== amount)
      throw new Problem('conflict', `At most ${amountOf(work, note.toRefund)} of this invoice can be refunded.`);
    return note.id;
  },
};
