/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('policy', 'policy_version'),
  policy_agreement: kept(
    'policy_agreements',
    'The business must be able to prove which terms applied to a purchase, for as long as a claim can be made.',
    { hidden: ['address_hash'] },
  ),
};
