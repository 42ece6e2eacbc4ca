import { accountEntry } from './account-entry.ts';
import { FEED } from './feed.ts';
import { accountReasons } from './reasons.ts';
import { findAccountEntries } from './find-account-entries.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { PRICES } from './account-entry.ts';
export { accountReasons, type AccountReason } from './reasons.ts';
export { addEntries, addEntry, voidEntries, voidEntriesOf, type NewEntry } from './writes.ts';

export const accountEntries: Area = {
  name: 'account_entries',
  description: "Customers' accounts: what they are charged and credited, for what, and why.",
  tables: ['account_entry'],
  resources: [accountEntry],
  endpoints: findAccountEntries,
  ports: [accountReasons],
  feed: FEED,
};
