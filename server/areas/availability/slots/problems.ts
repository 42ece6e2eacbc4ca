/** Problems of slots. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';

export const SLOT_PROBLEMS = defineProblems({
  slot_taken: {
    status: 409,
    type: 'conflict',
    means: 'The time is no longer free. `alternatives` lists the free times that are nearest to it.',
  },
  slot_expired: {
    status: 409,
    type: 'conflict',
    means: 'The id of the slot is too old. List the free times again.',
  },
  reschedule_too_late: {
    status: 400,
    type: 'event_check_failure',
    means: 'The time until which customers can reschedule has passed.',
  },
});

export const slotTaken = (alternatives: readonly unknown[]): Problem =>
  new Problem(
    SLOT_PROBLEMS.slot_taken,
    {
      staff: 'This time is no longer free. Choose one of the alternatives, or list the free times again.',
      customer: 'This time is no longer free. Please choose another one.',
    },
    {},
    {},
    alternatives,
  );

export const slotExpired = (): Problem =>
  new Problem(SLOT_PROBLEMS.slot_expired, {
    staff: 'The id of this slot is too old. List the free times again, and use an id from there.',
    customer: 'This offer is too old. Please choose a time again.',
  });
