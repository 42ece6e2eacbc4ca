import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { changeAccount } from './account/change-account.ts';
import { changeRecordAddress } from './account/address-change.ts';
import { claimCustomer } from './claim.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { changeCustomers } from './change-customers.ts';
import { customer } from './customer.ts';
import { entryCodeEndpoints } from './entry-codes.ts';
import { customerFeed, familyInviteFeed } from './feed.ts';
import { familyInvite } from './family-invites/family-invite.ts';
import { familyInvites } from './family-invites/invites.ts';
import { fieldValueWriters } from './field-values.ts';
import { findCustomers } from './find-customers.ts';
import { TABLES } from './tables.ts';
import { customerReaders } from './locale.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { checkActsFor, checkSeesMoney, mayActForFamily, notYourMoney } from './acting.ts';
export { createCustomer, deleteCustomers, type NewCustomer } from './writes.ts';
export { importConsents, type ImportedConsent } from './import/consents.ts';
export { endConsent, noteCustomerLabels, replaceCustomerStatus, setCustomerStatus } from './derived-columns.ts';
export { entryCode, entryCodes, readEntryCode } from './entry-code.ts';
export { ofPerson, setErased } from './erasing.ts';
export { joinFamilies, type FamilyLink } from './import/index.ts';
export { invitePeople, readPerson, storedHere, writePeople, type Person } from './import/index.ts';
export { keepingCustomers, lockCustomers, type CustomerRow } from './lock.ts';
export { rememberLocale } from './locale.ts';
export { beginMerging, endMerging } from './merge.ts';
export { customerFeed } from './feed.ts';
export { customer, ofMyFamily, ofMyPurse, viewedByCarers, writable as writableCustomer } from './customer.ts';
export { fieldValueWriters, fieldValues, writeFieldValues, type FieldValueWriter } from './field-values.ts';
export { checkReferral } from './unsupported-fields.ts';
export { readersOf } from './readers.ts';
export { findWalkIn, walkInCustomer } from './walk-in.ts';
export { whoIs } from './resolve-customer.ts';

const used = (field: string, message: string) => () =>
  new Problem('already_exists', `${field}: ${message}`, { [field]: [message] });

export const customers: Area = {
  name: 'customers',
  description: 'People who book: their records, and families with managers and children.',
  tables: TABLES,
  translations: readTranslations('customers/refusals'),
  claims: { customer: claimCustomer },
  changesAddress: { customer: changeRecordAddress },
  ports: [fieldValueWriters],
  fills: [customerReaders],
  resources: [customer],
  topics: [
    {
      name: 'families',
      description: 'Invitations to another parent to join a family.',
      resources: [familyInvite],
      endpoints: familyInvites,
    },
  ],
  endpoints: [...findCustomers, ...changeCustomers, ...changeAccount, ...entryCodeEndpoints],
  feed: [customerFeed, familyInviteFeed],
  constraints: { customer_email: used('email', 'Another customer has this email address.') },
};
