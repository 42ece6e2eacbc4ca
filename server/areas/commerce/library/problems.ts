/** Refusals of the content library. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { say } from '../../../kernel/base/values/words.ts';

export const CONTENT_PROBLEMS = defineProblems({
  content_not_included: {
    status: 409,
    type: 'content_failure',
    means:
      'The collection is restricted, and nothing that the customer has opens it. Its `memberships`, `courses` and `products` do.',
  },
});

export const notIncluded = (collection: string): Problem =>
  new Problem(CONTENT_PROBLEMS.content_not_included, {
    staff: `“${collection}” is restricted, and this customer has nothing that opens it: no membership, course or purchase. Sell one of them, or open the collection to all customers.`,
    customer: say`You don’t have access to “${collection}” yet. Its page shows what opens it.`,
  });
