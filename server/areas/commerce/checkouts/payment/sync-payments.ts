/** Requests to the processor about the payment that a checkout is waiting for. A worker repeats them later. */
import { syncPayment, pollPayment } from '../../../money/payments/index.ts';
import { readCheckout } from '../rows.ts';
import { isUnavailable } from '../../../../kernel/api/requests/refusals.ts';
import type { AfterCall } from '../../../../kernel/api/endpoint.ts';

/** Continues the payment after the commit. */
export async function drive(call: AfterCall): Promise<void> {
  const payment = await waitedFor(call);
  if (payment !== null) await syncPayment(call, payment);
}

/**
 * Continues the payment after the commit, if the database can do it now. Otherwise, a worker continues it, and the
 * checkout is `pending` until then: a refusal would say that nothing was done.
 */
export async function driveIfAvailable(call: AfterCall): Promise<void> {
  try {
    await drive(call);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

type Outside = Omit<AfterCall, 'viewer' | 'requestId'>;

/**
 * Asks the processor about the payment for a page that the payer has open, because the processor may know the result
 * before its message arrives. No transaction is open. Returns whether there was a response.
 */
export async function pollCheckout(outside: Outside): Promise<boolean> {
  const payment = await waitedFor(outside);
  return payment !== null && (await pollPayment(outside, payment));
}

/** Returns the payment that a checkout is waiting for. */
async function waitedFor({ db, tenant: { providerId }, id }: Outside): Promise<number | null> {
  const { status, payment_id } = await readCheckout({ tx: db.reading(providerId), providerId }, id);
  return status === 'pending' ? payment_id : null;
}
