/** Reasons why a discount code is refused. */
import { defineProblems } from '../../../kernel/base/problem.ts';

const type = 'invalid_request_error';

export const DISCOUNT_PROBLEMS = defineProblems({
  discount_code_invalid: {
    status: 400,
    type,
    means:
      'There is no such discount code, or it is inactive. Customers can’t tell the two apart; the message tells staff.',
  },
  discount_code_not_valid_today: {
    status: 400,
    type,
    means:
      'The discount code can’t be used yet, or can no longer be used. The message says from which or until which day.',
  },
  discount_code_used_up: {
    status: 400,
    type,
    means: 'The discount code has been used as often as it may be, including the uses that open checkouts hold.',
  },
  discount_code_limit_reached: {
    status: 400,
    type,
    means:
      'The customer, or somebody in the family, has used the discount code as often as one customer may. A family counts as one customer.',
  },
  discount_code_new_customers_only: {
    status: 400,
    type,
    means:
      'The discount code is for new customers only, and the customer, or somebody in the family, has already held a membership or come to an event.',
  },
  discount_code_not_applicable: {
    status: 400,
    type,
    means: 'The discount code does not apply to anything in this purchase, or what it applies to costs nothing.',
  },
});
