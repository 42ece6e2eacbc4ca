/** Problems of accounts and their emails. */
import { defineProblems } from '../../../kernel/base/problem.ts';

export const IDENTITY_PROBLEMS = defineProblems({
  quota_exceeded: {
    status: 409,
    type: 'conflict',
    means: 'More emails than the business can still send this month. The message says how many are left.',
  },
});
