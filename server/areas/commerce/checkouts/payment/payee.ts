/** Consequences for a checkout when its payment succeeds, fails, or arrives too late. */
import { amountText } from '../../../../kernel/base/values/money.ts';
import { complete } from '../complete.ts';
import { bringBack, creditPaid, lockInvoices } from '../../../money/invoices/index.ts';
import { amountDue, itemsOf, lockCheckout, type CheckoutRow } from '../rows.ts';
import { endCheckout, reopen } from '../ending.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { PaidPayment, Payee } from '../../../money/payments/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const CHECKOUT = 'checkout';

/** Handles the end of the payment that the checkout waits for, without a purchase. */
async function goBack(work: Work, { id, about }: PaidPayment, why: string): Promise<void> {
  const checkout = await lockCheckout(work, about);
  if (checkout.status !== 'pending' || checkout.payment_id !== id) return;
  if (checkout.ending !== null) await endCheckout(work, checkout, checkout.ending);
  else await reopen(work, checkout, why);
}

function whyNot(checkout: CheckoutRow, amount: number): string | null {
  if (checkout.status === 'completed') return 'This purchase had already been paid.';
  if (amountDue(checkout) !== amount) return 'The purchase was changed before the payment arrived.';
  return null;
}

export const checkoutPayee: Payee = {
  name: CHECKOUT,
  description: 'A checkout.',
  resource: CHECKOUT,
  lock: async (work, id) => {
    await lockCheckout(work, id);
  },
  lockBilled: async (work, id) => {
    const { invoice_id: invoice } = await lockCheckout(work, id);
    if (invoice !== null) await lockInvoices(work, [invoice]);
  },
  paid: async (work, payment) => {
    const [checkout, items] = await Promise.all([lockCheckout(work, payment.about), itemsOf(work, payment.about)]);
    const why = whyNot(checkout, payment.amount);
    if (why !== null) return { taken: false, why };
    await complete(work, checkout, items, { payment });
    return { taken: true };
  },
  failed: goBack,
  notTaken: goBack,
  bringBack: async (work, about, goods) => {
    const { invoice_id: invoice } = await lockCheckout(work, about);
    return (await bringBack(work, invoice!, goods)).noted;
  },
  giveBack: async (work, { about }, amount, why) => {
    const { invoice_id: invoice } = await lockCheckout(work, about);
    const note = await creditPaid(work, { invoice: invoice!, amount, why, to: 'unapplied' });
    if (note.toRefund === amount) return note.id;
    const most = amountText({ minor: note.toRefund, currency: work.tenant.currency });
    throw new Problem('conflict', `At most ${most} of this payment can be refunded: the rest is still due.`);
  },
};
