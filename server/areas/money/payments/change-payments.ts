import { action, one } from '../../../kernel/api/endpoint.ts';
import { amountText, at, toPaidPayment, type PaymentRow, type RefundRow } from './rows.ts';
import { askCancel, payeeOf, refundable, startRefund } from './start.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { isSettled } from './rules/states.ts';
import type { GoodsBack } from './payees.ts';
import { lockWithPayee } from './record.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { id, integer, listOf, moneyText, object, text } from '../../../kernel/base/fields/kinds.ts';
import { payment, paymentRefund } from './payment.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { whoTakes } from './shown.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const reason = text({ max: 1000 }).describe('Why it is refunded. Customers can read it too.');

const refund = action({
  path: '/payments/{id}/refund',
  summary: 'Refund a payment',
  description:
    'Refunds money the way it was paid, and takes the amount off what was billed, with a credit note. Products go back into stock if you list them in `restock`. It may take days until the customer has it: get the refund again to see.',
  who: whoTakes,
  target: payment,
  // The object that is paid is locked before the payment.
  unlocked: true,
  body: {
    amount: moneyText().optional().describe('If left out, all that can be refunded.'),
    restock: listOf(
      object({
        line_item: id().describe('A line of the invoice that the payment paid.'),
        quantity: integer({ min: 1, max: 100 })
          .optional()
          .describe('Number of returned items. If left out, all that have not come back yet.'),
      }),
      { min: 1, max: 1000 },
    )
      .optional()
      .describe(
        'The products of the store that go back into stock, because they can be sold again. They count as returned then. If left out, none do.',
      ),
    reason,
  },
  status: 201,
  problems: ['conflict'],
  returns: one(paymentRefund),
  run: async ({ work, body, target }) => {
    const came = body.restock && (await bringBack(work, target as PaymentRow, body.restock));
    await payeeOf(target.payee).lockBilled?.(work, target.payee_id);
    const { row } = await lockWithPayee(work, target.id);
    if (row.status !== 'succeeded')
      throw new Problem('conflict', 'Only a payment that succeeded can be refunded. Cancel it instead.');
    const amount = await amountOf(work, row, body.amount);
    work.touch('payment', row.id, row);
    // Money that the payee never took is already on the customer's account.
    if (row.taken) {
      const note = await payeeOf(row.payee).giveBack(work, toPaidPayment(row), amount, body.reason);
      await came?.(note);
    }
    return startRefund(work, { payment: row.id, amount, why: body.reason });
  },
});

/** Returns goods to stock. Stock is locked before the object that was paid, and that object before the payment. */
async function bringBack(
  work: Work,
  { taken, payee, payee_id }: PaymentRow,
  sent: readonly { readonly line_item: number; readonly quantity?: number }[],
) {
  const bring = payeeOf(payee).bringBack;
  if (!taken || !bring) throw invalid('restock', 'Nothing that this payment paid goes back into stock.');
  const goods = sent.map(({ line_item: line, quantity = null }, n): GoodsBack => {
    if (sent.findIndex((one) => one.line_item === line) !== n)
      throw invalid(`restock.${n}.line_item`, 'Each line can be named once.');
    return { line, quantity, at: `restock.${n}.${quantity === null ? 'line_item' : 'quantity'}` };
  });
  return bring(work, payee_id, goods);
}

async function amountOf(work: Work, row: PaymentRow, sent: string | undefined): Promise<number> {
  const most = await refundable(work, row);
  if (most === 0) throw new Problem('conflict', 'Nothing of this payment can be refunded anymore.');
  if (sent === undefined) return most;
  const amount = minorOf('amount', sent, work.tenant.currency);
  if (amount === 0) throw invalid('amount', 'Must be more than 0.');
  if (amount > most) throw invalid('amount', `Must be at most ${amountText(work, most)}: no more can be refunded.`);
  return amount;
}

const retry = action({
  path: '/payment_refunds/{id}/retry',
  summary: 'Try a refund again',
  description:
    'For a refund that failed, while the amount is still owed to the customer. Returns the new refund. Each refund is tried again once: if the new one fails too, try that one again.',
  who: whoTakes,
  target: paymentRefund,
  unlocked: true,
  status: 201,
  problems: ['conflict'],
  returns: one(paymentRefund),
  run: async ({ work, target }) => {
    const { payment_id, amount_minor, explanation, status } = target as RefundRow;
    await lockWithPayee(work, payment_id);
    if (status !== 'failed') throw new Problem('conflict', 'Only a refund that failed can be tried again.');
    const next = await work.tx.one<{ id: number }>(
      sql`SELECT id FROM payment_refund WHERE provider_id = ${work.providerId} AND retries_id = ${target.id}`,
    );
    if (next) throw retriedAlready(next.id);
    return startRefund(work, { payment: payment_id, amount: amount_minor, why: explanation, retries: target.id });
  },
});

const retriedAlready = (next: number): Problem =>
  new Problem('conflict', `The refund was already tried again, as refund ${next}. If that one fails, try it again.`);

const cancel = action({
  path: '/payments/{id}/cancel',
  summary: 'Cancel a payment',
  description:
    'The payment processor is asked to stop it. If the customer has paid in the meantime, the payment still succeeds.',
  who: whoTakes,
  target: payment,
  body: {},
  problems: ['conflict'],
  returns: one(payment),
  run: async ({ work, target }) => {
    if (isSettled(target.status))
      throw new Problem('conflict', `The payment has already ${target.status}. There is nothing to cancel.`);
    await askCancel(work, target.id);
    return target.id;
  },
});

const check = action({
  path: '/payments/{id}/check',
  summary: 'Ask the payment processor about a payment',
  description:
    'The payment processor is asked within seconds what became of the payment. This also happens without being asked, but at longer and longer intervals.',
  who: whoTakes,
  target: payment,
  silent: 'The payment processor’s answer is recorded when it arrives.',
  problems: ['conflict'],
  returns: one(payment),
  run: async ({ work, target }) => {
    if (target.status === 'succeeded') throw new Problem('conflict', 'The payment has already succeeded.');
    await updateRow(work, 'payment', target.id, { next_at: at(work), attempts: 0, trouble: null });
    return target.id;
  },
});

const checkRefund = action({
  path: '/payment_refunds/{id}/check',
  summary: 'Ask the payment processor about a refund',
  description: 'The payment processor is asked within seconds what became of the refund.',
  who: whoTakes,
  target: paymentRefund,
  silent: 'The payment processor’s answer is recorded when it arrives.',
  problems: ['conflict'],
  returns: one(paymentRefund),
  run: async ({ work, target }) => {
    if (target.status === 'failed' || target.status === 'succeeded')
      throw new Problem('conflict', `The refund has already ${target.status}.`);
    await updateRow(work, 'payment_refund', target.id, { next_at: at(work), attempts: 0, trouble: null });
    return target.id;
  },
});

export const changePayments = [refund, cancel, check, retry, checkRefund];
