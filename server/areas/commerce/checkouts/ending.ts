/** The end of checkouts that aren't completed, and the release of their reservations. The caller locks their rows. */
import { checkoutCancelled, checkoutExpired, checkoutReopened } from './feed.ts';
import { expiryOf } from './reservations/times.ts';
import { extend, release, stopPaying } from './reservations/held.ts';
import { giveBackCredit } from './payment/credit.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { itemsOf, type CheckoutRow } from './rows.ts';
import { releaseUse } from '../discount-codes/index.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Ends an unpaid checkout and releases everything. */
export async function endCheckout(work: Work, checkout: CheckoutRow, as: 'expired' | 'cancelled'): Promise<void> {
  const items = await itemsOf(work, checkout.id);
  await release(work, items);
  if (checkout.status === 'pending') await stopPaying(work, items);
  await releaseUse(work, checkout.id);
  await giveBackCredit(work, checkout, items);
  await updateRow(work, 'checkout', checkout.id, { status: as, ending: null, ended_at: instant(work.now) });
  const of = { checkout: checkout.id, customer: checkout.customer_id };
  work.record(as === 'expired' ? checkoutExpired : checkoutCancelled, checkout.id, of);
  work.effect(`checkout_${as}`, 'checkout', checkout.id, {});
}

/**
 * Reopens a checkout after a failed payment: the payer can change it and pay again. Reservations are extended, within
 * the maximum time of a checkout; beyond it, the checkout expires.
 */
export async function reopen(work: Work, checkout: CheckoutRow, why: string): Promise<void> {
  const until = expiryOf(work.now, checkout.created_at);
  if (until <= work.now) {
    await endCheckout(work, checkout, 'expired');
    return;
  }
  const items = await itemsOf(work, checkout.id);
  await extend(work, items, { until, paying: false });
  await stopPaying(work, items);
  await giveBackCredit(work, checkout, items);
  await updateRow(work, 'checkout', checkout.id, {
    status: 'open',
    payment_error: why.slice(0, 1000),
    expires_at: instant(until),
  });
  const of = { checkout: checkout.id, customer: checkout.customer_id, payment: checkout.payment_id! };
  work.record(checkoutReopened, checkout.id, of);
}
