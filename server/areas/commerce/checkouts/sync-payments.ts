/** Asks the processor about the payment that a checkout waits for. A worker does so too, later. */
import { syncPayment, pollPayment } from '../../money/payments/index.ts';
import { readCheckout } from './rows.ts';
import type { AfterCall } from '../../../kernel/api/endpoint.ts';

/** After a commit. */
export async function drive(call: AfterCall): Promise<void> {
  const payment = await waitedFor(call);
  if (payment !== null) await syncPayment(call, payment);
}

type Outside = Omit<AfterCall, 'viewer' | 'requestId'>;

/**
 * For a page that the payer looks at, while no transaction is open: what became of the payment at the processor may be
 * known there before its message comes. Whether anything was heard.
 */
export async function pollCheckout(outside: Outside): Promise<boolean> {
  const payment = await waitedFor(outside);
  return payment !== null && (await pollPayment(outside, payment));
}

/** The payment that a checkout waits for. */
async function waitedFor({ db, tenant: { providerId }, id }: Outside): Promise<number | null> {
  const { status, payment_id } = await readCheckout({ tx: db.reading(providerId), providerId }, id);
  return status === 'pending' ? payment_id : null;
}
