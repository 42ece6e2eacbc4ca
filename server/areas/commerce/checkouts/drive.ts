/** After a commit: the processor is asked about the payment that a checkout waits for. A worker does so too, later. */
import { drivePayment } from '../../money/payments/index.ts';
import { readCheckout } from './rows.ts';
import type { AfterCall } from '../../../kernel/api/endpoint.ts';

export async function drive(call: AfterCall): Promise<void> {
  const { providerId } = call.tenant;
  const { status, payment_id: payment } = await call.db.looking(providerId, (tx) =>
    readCheckout({ tx, providerId }, call.id),
  );
  if (status === 'pending' && payment !== null) await drivePayment(call, payment);
}
