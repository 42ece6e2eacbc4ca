/** Problems of requests for substitutes. */
import { defineProblems } from '../../../kernel/base/problem.ts';

export const SUBSTITUTION_PROBLEMS = defineProblems({
  not_teaching: {
    status: 409,
    type: 'conflict',
    means: 'The instructor doesn’t teach the event, so nobody has to teach it in their place.',
  },
  substitute_unavailable: {
    status: 409,
    type: 'conflict',
    means:
      'The instructor can’t teach the event. The message says what speaks against it, as `GET /events/{id}/substitutes` does.',
  },
});
