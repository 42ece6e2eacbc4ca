import { defineProblems } from '../../../kernel/base/problem.ts';

export const LEDGER_PROBLEMS = defineProblems({
  accounting_period_not_last: {
    status: 409,
    type: 'conflict',
    means: 'Only the last closed accounting period can be reopened.',
  },
});
