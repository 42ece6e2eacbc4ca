/** Checkouts without a named customer: what can be sold to a walk-in customer. */
import { findWalkIn } from '../../people/customers/index.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import type { CheckoutRow } from './rows.ts';
import type { ItemKind } from './item-kinds/kind.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns whether the checkout is for the walk-in customer. Only staff have such checkouts. */
export const isOfWalkIn = async (work: Work, { customer_id }: Pick<CheckoutRow, 'customer_id'>): Promise<boolean> =>
  work.viewer.mode === 'provider' && (await findWalkIn(work)) === customer_id;

/** @throws Problem if the item must belong to a person */
export function checkForWalkIn({ forWalkIns }: Pick<ItemKind, 'forWalkIns'>): void {
  if (!forWalkIns) throw invalid('item_type', 'This item must belong to a customer. Name the customer who buys it.');
}

const NO_CREDIT = 'A walk-in customer has no account. Name the customer, or leave it out.';

export function checkNoCredit(used: boolean | undefined): void {
  if (used) throw invalid('use_account_credit', NO_CREDIT);
}

interface Paid {
  readonly pay_later?: boolean;
  readonly payment_method?: number | null;
  readonly save_payment_method?: boolean;
}

/**
 * Refuses to pay later or to save a payment method: nobody would owe the amount, and there is nobody to save a method
 * for.
 */
export function checkPaidNow({ pay_later, payment_method, save_payment_method }: Paid): void {
  if (pay_later)
    throw invalid('pay_later', 'An anonymous customer can’t owe money. Name the customer, or take the payment now.');
  if ((payment_method ?? null) !== null)
    throw invalid(
      'payment_method',
      'A walk-in customer has no saved payment methods. Name the customer, or leave it out.',
    );
  if (save_payment_method)
    throw invalid(
      'save_payment_method',
      'A walk-in customer can’t save a payment method. Name the customer, or leave this out.',
    );
}
