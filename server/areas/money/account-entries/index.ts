import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { accountEntry } from './account-entry.ts';
import { accountReasons, CREDIT_EXPIRED, CREDIT_MOVED, FLAT_FEE, GOODWILL, OPENING_BALANCE } from './reasons.ts';
import { changeAccountEntries } from './change-account-entries.ts';
import { CREDIT_EXPIRES } from './notice-types.ts';
import { creditJob, sweepCredits } from './credit.ts';
import { creditSettingsEndpoints } from './credit-settings.ts';
import { expireCreditJob, sweepCreditExpiry } from './expire-credit.ts';
import { moveCredit } from './move-credit.ts';
import { FEED } from './feed.ts';
import { findAccountEntries } from './find-account-entries.ts';
import { ledgerChecks, taxRecords } from '../ledger/index.ts';
import { taxedEntries } from './tax-totals.ts';
import { openEntriesCheck } from './ledger-check.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { PRICES } from '../ledger/index.ts';
export { takeBackOpening, writeOpening, type Opening } from './opening.ts';
export { accountReasons, reasonsByHand, type AccountReason } from './reasons.ts';
export { addEntries, addEntry, voidEntries, voidEntriesOf, voidOpen } from './writes.ts';
export { changeCredit, creditAccounts, giveCredit } from './credit.ts';
export { expireCredit } from './expire-credit.ts';
export { isOpen, isValid, isWaiting, type NewEntry, type Returned } from './entry.ts';
export { openCharge, openCharges, openCredits } from './charges.ts';
export { openEntries, pricesOf, settleEntries, type OpenEntry } from './settle.ts';

export const accountEntries: Area = {
  name: 'account_entries',
  description: "Customers' accounts: what they are charged and credited, for what, and why.",
  tables: TABLES,
  translations: readTranslations('account-entries/refusals'),
  resources: [accountEntry],
  endpoints: [...findAccountEntries, ...changeAccountEntries, moveCredit, ...creditSettingsEndpoints],
  ports: [accountReasons],
  fills: [
    accountReasons.with(FLAT_FEE, GOODWILL, CREDIT_EXPIRED, CREDIT_MOVED, OPENING_BALANCE),
    ledgerChecks.with(openEntriesCheck),
    taxRecords.with(taxedEntries),
  ],
  feed: FEED,
  notices: [CREDIT_EXPIRES],
  jobs: [creditJob, expireCreditJob],
  sweep: async (tx, now) => {
    await sweepCredits(tx, now);
    await sweepCreditExpiry(tx, now);
  },
};
