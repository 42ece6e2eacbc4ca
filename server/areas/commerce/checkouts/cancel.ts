/** Cancellation of checkouts: immediately if no payment is running; otherwise the payment is stopped first. */
import { askCancel } from '../../money/payments/index.ts';
import { CHECKOUT_PROBLEMS, notOpen } from './problems.ts';
import { endCheckout } from './ending.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readCheckout, type CheckoutRow } from './rows.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { AfterCall } from '../../../kernel/api/endpoint.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Cancels a locked checkout. While a payment runs, it is only asked to end: `syncPayment` stops the payment. */
export async function cancel(work: Work, checkout: CheckoutRow): Promise<void> {
  if (checkout.status === 'open') return endCheckout(work, checkout, 'cancelled');
  if (checkout.status !== 'pending') throw notOpen(checkout.status);
  await updateRow(work, 'checkout', checkout.id, { ending: 'cancelled' });
  await askCancel(work, checkout.payment_id!);
  work.effect('checkout_cancelled', 'checkout', checkout.id, {});
}

/** Refuses if it was too late: the money has arrived, and everything was bought. */
export async function checkCancelled({ db, tenant: { providerId }, id }: AfterCall): Promise<void> {
  const { status } = await readCheckout({ tx: db.reading(providerId), providerId }, id);
  if (status === 'completed')
    throw new Problem(CHECKOUT_PROBLEMS.already_paid, {
      staff: 'The payment arrived before it could be stopped, so the checkout was completed. Refund it instead.',
      customer: 'Your payment had already arrived, so the purchase was completed.',
    });
}
