import { defineProblems } from '../../../kernel/api/problem.ts';

export const CLOCK_PROBLEMS = defineProblems({
  not_a_test_business: {
    status: 409,
    type: 'conflict',
    means: 'The business was not created as a test business, so its time can’t be advanced.',
  },
  test_clock_advancing: {
    status: 409,
    type: 'conflict',
    means: 'The clock is being advanced already. Wait until it is done.',
  },
});

export const DOMAIN_PROBLEMS = defineProblems({
  domain_not_set: { status: 409, type: 'conflict', means: 'The business has set no domain for its booking site.' },
  domain_not_verified: {
    status: 409,
    type: 'conflict',
    means: 'The TXT record that proves whose the domain is was not found.',
  },
});
