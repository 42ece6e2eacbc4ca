/** Refunds of what payments of an invoice have paid, to the original payment method, the latest payment first. */
import { amountOf } from '../feed.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { lockPayments, startRefund } from '../../payments/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Locks the payments of a locked invoice now: refunds of them start later, when accounts are already locked. */
export async function lockPaymentsOf(work: Work, invoice: number): Promise<void> {
  const charges = await work.tx.rows<{ payment: number }>(sql`
    SELECT payment_id AS payment FROM invoice_charge
    WHERE provider_id = ${work.providerId} AND invoice_id = ${invoice}`);
  await lockPayments(
    work,
    charges.map(({ payment }) => payment),
  );
}

/** Refunds an amount that is on the payer's `unapplied` account. */
export async function refundFrom(work: Work, invoice: number, amount: number, why: string): Promise<void> {
  const payments = await work.tx.rows<{ id: number; left: number }>(sql`
    SELECT p.id, least(c.amount_minor, p.amount_minor - p.refunded_minor - coalesce((
        SELECT sum(d.amount_minor) FROM payment_dispute d
        WHERE d.provider_id = p.provider_id AND d.payment_id = p.id AND d.status <> 'won'), 0))::bigint AS left
    FROM invoice_charge c JOIN payment p ON p.provider_id = c.provider_id AND p.id = c.payment_id
    WHERE c.provider_id = ${work.providerId} AND c.invoice_id = ${invoice} ORDER BY p.id DESC`);
  let rest = amount;
  for (const { id, left } of payments) {
    const part = Math.min(rest, left);
    if (part <= 0) continue;
    await startRefund(work, { payment: id, amount: part, why });
    rest -= part;
  }
  if (rest > 0)
    throw new Problem(
      'conflict',
      `At most ${amountOf(work, amount - rest)} can be refunded: the rest of what was paid has been refunded or disputed.`,
    );
}
