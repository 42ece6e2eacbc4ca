/** Why the store does not sell, hold or give back something. */
import { defineProblems, Problem } from '../../../kernel/api/problem.ts';

const type = 'store_failure';

export const STORE_PROBLEMS = defineProblems({
  out_of_stock: {
    status: 409,
    type,
    means:
      'Not enough of it is in stock, without what open checkouts hold. The message says how many are left. Order fewer, or receive more.',
  },
});

/** `left`: what is in stock and not held; null: not known anymore */
export const outOfStock = (name: string, left: number | null): Problem =>
  new Problem(
    STORE_PROBLEMS.out_of_stock,
    left === null || left <= 0
      ? {
          staff: `“${name}” is out of stock: nothing is left that open checkouts do not hold. Record what you have received, or sell something else.`,
          customer: `“${name}” is sold out.`,
        }
      : {
          staff: `Only ${left} of “${name}” ${left === 1 ? 'is' : 'are'} left, without what open checkouts hold. Sell fewer, or record what you have received.`,
          customer: `Only ${left} of “${name}” ${left === 1 ? 'is' : 'are'} left. Please choose fewer.`,
        },
  );
