/** Checkouts that were not paid in time. */
import { askCancel } from '../../money/payments/index.ts';
import { endCheckout } from './ending.ts';
import { EXPIRE_TASK, PAYING_MS } from './reservations/times.ts';
import { extend } from './reservations/held.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { itemsOf, lockCheckout, type CheckoutRow } from './rows.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Schedules the next check at the expiry: every change of the checkout moves it. */
export const lookAgain = (work: Work, id: number, at: number): void =>
  work.enqueue({ task: EXPIRE_TASK, payload: { checkout: id }, key: keyOf(id), runAt: at });

const keyOf = (id: number): string => `checkout:${id}`;

/** Cancels the check of a checkout that was opened and completed by the same request, so it never expires. */
export const stopPolling = (work: Work, id: number): void => work.dequeue(keyOf(id));

export const expireJob: Job = { task: EXPIRE_TASK, run: expireCheckout };

export async function expireCheckout(work: Work, { checkout: id }: { checkout: number }): Promise<void> {
  const checkout = await lockCheckout(work, id);
  if (checkout.status !== 'open' && checkout.status !== 'pending') return;
  if (checkout.expires_at > work.now) lookAgain(work, id, checkout.expires_at);
  else if (checkout.status === 'open') await endCheckout(work, checkout, 'expired');
  else await stopPaying(work, checkout);
}

/**
 * Stops the payment of an expired checkout. A pending decision of a bank keeps it waiting; a customer who left the
 * processor's page doesn't.
 */
async function stopPaying(work: Work, checkout: CheckoutRow): Promise<void> {
  const payment = await work.tx.one<{ status: string }>(
    sql`SELECT status FROM payment WHERE provider_id = ${work.providerId} AND id = ${checkout.payment_id}`,
  );
  const until = work.now + PAYING_MS;
  if (payment!.status === 'pending') {
    await extend(work, await itemsOf(work, checkout.id), { until, paying: true });
  } else {
    await updateRow(work, 'checkout', checkout.id, { ending: checkout.ending ?? 'expired' });
    await askCancel(work, checkout.payment_id!);
  }
  await updateRow(work, 'checkout', checkout.id, { expires_at: instant(until) });
  lookAgain(work, checkout.id, until);
}

/**
 * Keeps an open checkout and its reservations until this moment at least, while its payer confirms the email address.
 * Returns false if it is no longer open.
 */
export async function keepOpen(work: Work, id: number, until: number): Promise<boolean> {
  const checkout = await lockCheckout(work, id);
  if (checkout.status !== 'open') return false;
  if (checkout.expires_at >= until) return true;
  await extend(work, await itemsOf(work, id), { until, paying: false });
  await updateRow(work, 'checkout', id, { expires_at: instant(until) });
  lookAgain(work, id, until);
  return true;
}

/** Jobs that were lost with their queue are enqueued again. */
export async function sweepCheckouts(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`
    SELECT enqueue_job(${EXPIRE_TASK}, json_build_object('provider_id', provider_id, 'checkout', id),
      provider_id || ':checkout:' || id, ${instant(now)}::timestamptz)
    FROM (SELECT provider_id, id FROM checkout
          WHERE status IN ('open', 'pending') AND expires_at < ${instant(now - 10 * 60_000)}::timestamptz
          ORDER BY expires_at LIMIT 1000) AS late`);
}
