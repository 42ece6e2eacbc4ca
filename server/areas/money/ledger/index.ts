import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { accountCodes } from './books/account-codes.ts';
import { accountingPeriod } from './books/accounting-period.ts';
import { checkZone, periodEndpoints } from './books/periods.ts';
import { closedPeriodsCheck } from './books/periods-check.ts';
import { detailNames } from './books/names.ts';
import { FEED } from './feed.ts';
import { journalEndpoint } from './books/journal-file.ts';
import { LEDGER_PROBLEMS } from './problems.ts';
import { taxRecords } from './books/taxes.ts';
import { trialBalanceEndpoint } from './books/trial-balance.ts';
import { checkJob, FROM, sweepChecks } from './check-job.ts';
import { creditHistory, creditMovement } from './credit-history.ts';
import { customerEndpoints, customerProperties } from './of-customers.ts';
import { findLedger } from './find-ledger.ts';
import { ledgerChecks, OWN_CHECKS } from './checks.ts';
import { ledgerLine, ledgerTransaction } from './ledger-transaction.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { LINE_TYPES, type Account, type LineType } from './accounts.ts';
export { detailNames, type DetailNames } from './books/names.ts';
export { postedWithin } from './books/range.ts';
export { taxRecords, type TaxRecords, type TaxTotal } from './books/taxes.ts';
export { JOURNAL_FORMATS, journalText, type JournalFormat } from './books/journal-file.ts';
export { trialBalance, withAmounts } from './books/trial-balance.ts';
export { checkLedger, compare, ledgerChecks, type LedgerCheck } from './checks.ts';
export { PRICES } from './ledger-transaction.ts';
export { creditOf, lockAccounts, post, postAll, postLater, type LedgerLine, type Posting } from './post.ts';

/**
 * Returns the problem of two purchases with the same credit: the later one fails here, if it did not lock the account
 * before reading the balance.
 */
const creditGone = () =>
  new Problem('conflict', {
    staff: 'The customer no longer has this much account credit. Check the amounts, and retry.',
    customer: 'You no longer have this much account credit. Please try again.',
  });

/**
 * Returns the problem of a day that was closed while the request was running: the next attempt has today's date, which
 * is never closed.
 */
const dayClosed = () =>
  new Problem('conflict', {
    staff: 'The books of this day have just been closed. Repeat the request, or have the accounting period reopened.',
    customer: 'This could not be saved right now. Please try again.',
  });

export const ledger: Area = {
  name: 'ledger',
  description: 'The ledger: what happened to money, as double entry, and what customers owe and can spend.',
  tables: TABLES,
  translations: readTranslations('ledger/refusals'),
  resources: [ledgerTransaction, ledgerLine, creditMovement, accountingPeriod],
  endpoints: [
    ...findLedger,
    ...customerEndpoints,
    creditHistory,
    journalEndpoint,
    trialBalanceEndpoint,
    ...accountCodes,
    ...periodEndpoints,
  ],
  properties: { customer: customerProperties },
  ports: [ledgerChecks, detailNames, taxRecords],
  fills: [ledgerChecks.with(...OWN_CHECKS, closedPeriodsCheck)],
  follows: { provider: (work, _id, { timezone }) => checkZone(work, timezone) },
  feed: FEED,
  problems: LEDGER_PROBLEMS,
  jobs: [checkJob],
  sweep: sweepChecks,
  sweepTimes: [FROM],
  constraints: { customer_balance_credit: creditGone, ledger_transaction_day_open: dayClosed },
};
