import { accountEntry } from './account-entry.ts';
import { accountReasons, FLAT_FEE, GOODWILL } from './reasons.ts';
import { changeAccountEntries } from './change-account-entries.ts';
import { creditJob, sweepCredits } from './credit.ts';
import { FEED } from './feed.ts';
import { findAccountEntries } from './find-account-entries.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { openEntriesCheck } from './ledger-check.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { PRICES } from '../ledger/index.ts';
export { accountReasons, type AccountReason } from './reasons.ts';
export { addEntries, addEntry, voidEntries, voidEntriesOf } from './writes.ts';
export { creditAccounts, giveCredit } from './credit.ts';
export { isValid, type NewEntry } from './entry.ts';
export { openEntries, settleEntries, type OpenEntry } from './settle.ts';

export const accountEntries: Area = {
  name: 'account_entries',
  description: "Customers' accounts: what they are charged and credited, for what, and why.",
  tables: ['account_entry'],
  resources: [accountEntry],
  endpoints: [...findAccountEntries, ...changeAccountEntries],
  ports: [accountReasons],
  fills: [accountReasons.with(FLAT_FEE, GOODWILL), ledgerChecks.with(openEntriesCheck)],
  feed: FEED,
  jobs: [creditJob],
  sweep: sweepCredits,
};
