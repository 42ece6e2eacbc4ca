import { defineProblems, invalid, type Problem } from '../../../kernel/base/problem.ts';

export const CLOCK_PROBLEMS = defineProblems({
  not_a_test_business: {
    status: 409,
    type: 'conflict',
    means: 'The business is not a test business: its time can’t be advanced, and it can’t be deleted.',
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

/** Returns the same refusal for the database and for another cell. */
export const SLUG_TAKEN = (): Problem =>
  invalid('booking_site.slug', 'Another business has this address. Choose another one.');
export const DOMAIN_TAKEN = (): Problem => invalid('booking_site.domain', 'Another business has this domain.');
