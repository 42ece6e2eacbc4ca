/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness(
    'joining_fee',
    'membership',
    'membership_category',
    'membership_limit',
    'membership_limit_offering_type',
    'membership_payment_plan',
    'membership_registration_grant',
    'membership_terms',
    'membership_terms_version',
  ),
  terms_consent: kept('terms_agreed_to', 'The agreement is evidence of a contract. Nothing in it says who it was.', {
    hidden: ['actor'],
  }),
};
