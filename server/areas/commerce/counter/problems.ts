/** Reasons why the counter refuses something. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';

export const COUNTER_PROBLEMS = defineProblems({
  cash_session_required: {
    status: 409,
    type: 'conflict',
    means: 'Cash can be taken and paid out only while a cash session of the drawer is open. Open one first.',
  },
  cash_session_open: {
    status: 409,
    type: 'conflict',
    means: 'The cash drawer has an open session already. Close that one first.',
  },
  cash_session_closed: {
    status: 409,
    type: 'conflict',
    means: 'The cash session is closed, and never changes again. Open another one.',
  },
  cash_not_enough: {
    status: 409,
    type: 'conflict',
    means: 'There is less cash in the drawer than is to be taken out.',
  },
});

export const alreadyOpen = (): Problem =>
  new Problem(
    COUNTER_PROBLEMS.cash_session_open,
    'This cash drawer has an open session already. Close it first, or use another drawer.',
  );

export const closed = (): Problem =>
  new Problem(COUNTER_PROBLEMS.cash_session_closed, 'This cash session is closed. Open another one.');

/** Returns a refusal without the amount in the drawer, which may be hidden from the person who takes cash out. */
export const notEnough = (): Problem =>
  new Problem(
    COUNTER_PROBLEMS.cash_not_enough,
    'There is less cash in the drawer. Put cash in first, or take out less.',
  );
