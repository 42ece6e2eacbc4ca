/** Account credit that is reserved while a payment runs, so that nothing else spends it. */
import { creditOf, lockAccounts, post } from '../../../money/ledger/index.ts';
import { creditsUsed } from '../pricing/pricing.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { CheckoutRow, ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the part of `credit_minor` that comes from the payer's account. */
export function accountCreditOf(checkout: CheckoutRow, items: readonly ItemRow[]): number {
  const credits = items.map((item) => item.credit_minor);
  return checkout.credit_minor - creditsUsed(checkout.total_minor, credits).reduce((all, one) => all + one, 0);
}

/** Reserves account credit for the payment that begins. */
export async function holdCredit(work: Work, checkout: CheckoutRow, amount: number, payment: number): Promise<void> {
  if (amount === 0) return;
  const { customer_id: customer } = checkout;
  await post(work, {
    kind: 'checkout_credit_held',
    about: { object: 'payment', id: payment },
    explanation: storedTexts(work).say('checkout.credit_held'),
    lines: [
      { account: 'credit', customer, amount },
      { account: 'credit_held', customer, amount: -amount },
    ],
  });
}

/** Releases account credit that was reserved for a payment. */
export async function giveBackCredit(work: Work, checkout: CheckoutRow, items: readonly ItemRow[]): Promise<void> {
  if (checkout.status !== 'pending' || checkout.payment_id === null) return;
  const amount = accountCreditOf(checkout, items);
  if (amount === 0) return;
  const { customer_id: customer } = checkout;
  await lockAccounts(work, [customer]);
  await post(work, {
    kind: 'checkout_credit_released',
    about: { object: 'payment', id: checkout.payment_id },
    explanation: storedTexts(work).say('checkout.credit_released'),
    lines: [
      { account: 'credit_held', customer, amount },
      { account: 'credit', customer, amount: -amount },
    ],
  });
}

/** The payer no longer has the account credit that a price counts on. */
export class CreditGone extends Problem {
  constructor() {
    super('conflict', {
      staff: 'The customer no longer has this much account credit. Check the amounts, and retry.',
      customer: 'You no longer have this much account credit. Please look again.',
    });
  }
}

/** Refuses to use credit that the payer no longer has. Locks the account. */
export async function checkCredit(work: Work, customer: number, amount: number): Promise<void> {
  if (amount === 0) return;
  await lockAccounts(work, [customer]);
  if ((await creditOf(work, customer)) < amount) throw new CreditGone();
}

/**
 * Runs work that spends credit which this transaction has read without a lock. If another one spent it in between, all
 * of it runs again with what is left, and its answer is about that.
 */
export async function readingAgain<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof CreditGone ? new RetryTransaction('account credit was spent in between') : error;
  }
}
