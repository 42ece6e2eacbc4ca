/** Reasons why the store refuses to sell, reserve or return something. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { say } from '../../../kernel/base/values/words.ts';

const type = 'store_failure';

export const STORE_PROBLEMS = defineProblems({
  store_closed: { status: 409, type, means: 'The store is closed for customers. Staff can still sell.' },
  not_for_sale: { status: 409, type, means: 'The product, or this variant of it, is not for sale.' },
  locked: {
    status: 409,
    type,
    means:
      'A payment for the order runs, so nothing about it can be changed; or the `locked_at` that was sent is not the one of the order. Get the order again.',
  },
  order_not_open: {
    status: 409,
    type,
    means: 'The order was paid, cancelled or returned, or it was not paid yet. The message says which.',
  },
  out_of_stock: {
    status: 409,
    type,
    means:
      'Not enough of it is in stock, without what open checkouts hold. The message says how many are left. Order fewer, or receive more.',
  },
});

/** `left`: quantity in stock and not reserved; null if it is no longer known */
export const outOfStock = (name: string, left: number | null): Problem =>
  new Problem(
    STORE_PROBLEMS.out_of_stock,
    left === null || left <= 0
      ? {
          staff: `“${name}” is out of stock: nothing is left that open checkouts do not hold. Record what you have received, or sell something else.`,
          customer: say`“${name}” is sold out.`,
        }
      : {
          staff: `Only ${left} of “${name}” ${left === 1 ? 'is' : 'are'} left, without what open checkouts hold. Sell fewer, or record what you have received.`,
          customer:
            left === 1
              ? say`Only 1 of “${name}” is left. Please choose fewer.`
              : say`Only ${left} of “${name}” are left. Please choose fewer.`,
        },
  );

export const lockedNow = (): Problem =>
  new Problem(STORE_PROBLEMS.locked, {
    staff: 'A payment for this order is under way. Wait for it, or cancel the order with its locked_at.',
    customer: 'A payment for this order is under way. Please wait a moment.',
  });

/** Returns the refusal for a `locked_at` that differs from the order's. */
export const lockedOtherwise = (): Problem =>
  new Problem(STORE_PROBLEMS.locked, {
    staff: 'The order has another locked_at by now. Get the order again, and retry with its current value.',
    customer: 'The order has changed. Please look again.',
  });

const NOT_OPEN: Readonly<Record<string, { staff: string; customer: string }>> = {
  open: { staff: 'The order has not been paid yet.', customer: 'This order has not been paid yet.' },
  paid: {
    staff: 'The order was already paid. Create another one; staff can cancel it or take items back.',
    customer: 'This order was already paid. Please ask the business if something is wrong with it.',
  },
  fulfilled: {
    staff:
      'The order was paid, and everything was handed over. Take items back with POST /store/order_items/{id}/return.',
    customer: 'You have already received this order. Please ask the business if something is wrong with it.',
  },
  cancelled: { staff: 'The order was cancelled. Create another one.', customer: 'This order was cancelled.' },
  returned: {
    staff: 'Everything in the order was returned. Create another one.',
    customer: 'This order was returned.',
  },
};

/** Returns the refusal to change or hand over an order in this status. */
export const wrongStatus = (status: string): Problem => new Problem(STORE_PROBLEMS.order_not_open, NOT_OPEN[status]);
