/** Reasons why a checkout is refused. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { many, say } from '../../../kernel/base/values/words.ts';

const type = 'checkout_failure';

export const CHECKOUT_PROBLEMS = defineProblems({
  checkout_expired: {
    status: 409,
    type,
    means: 'The checkout has expired, and what was held for it was released. Create a new one.',
  },
  checkout_not_open: {
    status: 409,
    type,
    means: 'A payment for the checkout is under way, or it was completed or cancelled. The message says which.',
  },
  checkout_empty: { status: 409, type, means: 'Nothing is in the checkout. Add an item first.' },
  price_changed: {
    status: 409,
    type,
    means:
      'The total is not what the payer agreed to. Get the checkout again, show the payer the new total, and send that.',
  },
  already_paid: {
    status: 409,
    type,
    means: 'The payment arrived before it could be stopped, so the checkout was completed. Refund it instead.',
  },
});

export const expired = (): Problem =>
  new Problem(CHECKOUT_PROBLEMS.checkout_expired, {
    staff: 'The checkout has expired. Create a new one.',
    customer: say`This took too long, and the ${many.spot} were released. Please start again.`,
  });

const NOT_OPEN = {
  pending: {
    staff: 'A payment for this checkout is under way. Wait for it, or cancel the checkout.',
    customer: 'A payment is under way. Please wait a moment.',
  },
  completed: { staff: 'The checkout was already completed.', customer: 'This has already been paid.' },
  cancelled: {
    staff: 'The checkout was cancelled. Create a new one.',
    customer: 'This was cancelled. Please start again.',
  },
} as const;

/** Returns the refusal to change a checkout in this status, which is not `open`. */
export const notOpen = (status: string): Problem =>
  status === 'expired'
    ? expired()
    : new Problem(CHECKOUT_PROBLEMS.checkout_not_open, NOT_OPEN[status as keyof typeof NOT_OPEN]);
