import { checkJob, FROM, sweepChecks } from './check-job.ts';
import { creditHistory, creditMovement } from './credit-history.ts';
import { customerEndpoints, customerProperties } from './of-customers.ts';
import { findLedger } from './find-ledger.ts';
import { ledgerChecks, OWN_CHECKS } from './checks.ts';
import { ledgerLine, ledgerTransaction } from './ledger-transaction.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { LINE_TYPES, type Account, type LineType } from './accounts.ts';
export { checkLedger, compare, ledgerChecks, type LedgerCheck } from './checks.ts';
export { PRICES } from './ledger-transaction.ts';
export { creditOf, lockAccounts, post, postAll, type LedgerLine, type Posting } from './post.ts';

/** Two purchases used the same credit: the later one learns it here, if it did not lock the account before it looked. */
const creditGone = () =>
  new Problem('conflict', {
    staff: 'The customer no longer has this much account credit. Look again, and repeat the request.',
    customer: 'You no longer have this much account credit. Please try again.',
  });

export const ledger: Area = {
  name: 'ledger',
  description: 'The ledger: what happened to money, as double entry, and what customers owe and can spend.',
  tables: ['customer_balance', 'ledger_check', 'ledger_line', 'ledger_transaction'],
  resources: [ledgerTransaction, ledgerLine, creditMovement],
  endpoints: [...findLedger, ...customerEndpoints, creditHistory],
  properties: { customer: customerProperties },
  ports: [ledgerChecks],
  fills: [ledgerChecks.with(...OWN_CHECKS)],
  jobs: [checkJob],
  sweep: sweepChecks,
  sweepTimes: [FROM],
  constraints: { customer_balance_credit: creditGone },
};
