/** Refusals of doors and booking platforms. */
import { defineProblems } from '../../../kernel/base/problem.ts';

export const PARTNER_PROBLEMS = defineProblems({
  partner_paused: {
    status: 409,
    type: 'partner_failure',
    means: 'The partner is paused, so its messages are refused.',
  },
  entry_code_unknown: {
    status: 409,
    type: 'partner_failure',
    means: 'The code is not the current code of a customer’s pass.',
  },
  entry_refused: {
    status: 409,
    type: 'partner_failure',
    means: 'The customer can’t come in now. The message says why, and what to do about it.',
  },
  places_used: {
    status: 409,
    type: 'partner_failure',
    means: 'The platform has booked all places of the event that it can have: see `places_per_event`.',
  },
});
