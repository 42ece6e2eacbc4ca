/**
 * Refunds at the counter: a credit note, and the money returned the way it was paid; cash comes from the drawer's open
 * session.
 */
import { action, one } from '../../../../kernel/api/endpoint.ts';
import { counterSale } from './counter-sale.ts';
import { COUNTER_PROBLEMS } from '../problems.ts';
import { GIFT_CARD_PROBLEMS } from '../../gift-cards/index.ts';
import { INVOICE_PROBLEMS, refundFrom, takeBack, TAKEN_BACK } from '../../../money/invoices/index.ts';
import { decimal, moreThanZero, said } from '../amounts.ts';
import { id, listOf, moneyText, object, text } from '../../../../kernel/base/fields/kinds.ts';
import { inOrderOf } from './in-order.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { payerOf, type SaleRow } from './rows.ts';
import { counterSaleFeed } from './feed.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startRefund } from '../../../money/payments/index.ts';
import { whoSells } from '../shown.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const refundSale = action({
  path: '/counter/sales/{id}/refund',
  summary: 'Refund a sale at the counter',
  description:
    'Takes back what was billed by a credit note, whole or in part, and refunds the money the way it was paid: cash leaves the open session of its drawer. What account credit had paid becomes account credit again. Products go back into stock if you send `restock`. Anything else that was bought stays: cancel it yourself.',
  who: whoSells,
  target: counterSale,
  body: {
    ...TAKEN_BACK,
    payments: listOf(object({ payment: id().describe('A payment of this sale.'), amount: moneyText() }), {
      min: 1,
      max: 10,
    })
      .optional()
      .describe('Which payments are refunded, and how much of each. If left out, the latest payment first.'),
    reason: text({ max: 1000 }).describe('Why, in a sentence. Customers read it too.'),
  },
  problems: [
    'conflict',
    INVOICE_PROBLEMS.credit_exceeds_invoice,
    INVOICE_PROBLEMS.invoice_voided,
    COUNTER_PROBLEMS.cash_session_required,
    COUNTER_PROBLEMS.cash_not_enough,
    GIFT_CARD_PROBLEMS.gift_card_redeemed,
    GIFT_CARD_PROBLEMS.gift_card_expired,
    GIFT_CARD_PROBLEMS.gift_card_in_part,
  ],
  returns: one(counterSale),
  run: async ({ work, target, body }) => {
    const sale = target as SaleRow;
    const { payments, ...asked } = body;
    const { reason: why } = asked;
    const note = await takeBack(work, sale.invoice_id, asked, 'unapplied');
    if (payments) await refundThese(work, sale, payments, note.toRefund, why);
    else if (note.toRefund > 0) await refundFrom(work, sale.invoice_id, note.toRefund, why);
    work.record(counterSaleFeed.refunded, sale.id, {
      counter_sale: sale.id,
      customer: sale.is_walk_in ? null : await payerOf(work, sale),
      invoice: sale.invoice_id,
      credit_note: note.id,
      amount: decimal(work, note.total),
    });
    return sale.id;
  },
});

/** Refunds the payments that the caller chose, which must add up to the amount refunded as money. */
async function refundThese(
  work: Work,
  sale: SaleRow,
  sent: readonly { payment: number; amount: string }[],
  toRefund: number,
  why: string,
): Promise<void> {
  const known = await work.tx.rows<{ id: number; processor: number }>(sql`
    SELECT p.id, p.payment_processor_id AS processor FROM counter_payment c
    JOIN payment p ON p.provider_id = c.provider_id AND p.id = c.payment_id
    WHERE c.provider_id = ${work.providerId} AND c.counter_sale_id = ${sale.id}`);
  const chosen = sent.map(({ payment, amount }, n) => {
    const at = `payments.${n}.payment`;
    const found = known.find((row) => row.id === payment);
    if (!found) throw invalid(at, 'Must be a payment of this sale.');
    if (sent.findIndex((other) => other.payment === payment) !== n)
      throw invalid(at, 'Each payment can be named once.');
    return { payment, processor: found.processor, amount: moreThanZero(work, `payments.${n}.amount`, amount) };
  });
  const sum = chosen.reduce((all, { amount }) => all + amount, 0);
  if (sum !== toRefund)
    throw invalid('payments', `Must come to ${said(work, toRefund)}, which is what is refunded as money.`);
  await inOrderOf(
    chosen,
    ({ processor }) => processor,
    ({ payment, amount }) => startRefund(work, { payment, amount, why }),
  );
}
