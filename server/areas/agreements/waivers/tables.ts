/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { purposeOf } from './waiver.ts';

export const TABLES: Tables = {
  ...ofBusiness('waiver', 'waiver_version', 'waiver_offering_type', 'waiver_membership'),
  waiver_agreement: {
    ...kept(
      'signed_waivers',
      'A signed waiver, with its name and signature, is evidence for as long as a claim can be made.',
      { hidden: ['address_hash', 'sealed'] },
    ),
    sealed: { sealed: (row) => (row.sealed === null ? null : purposeOf(row.provider_id, row.id)) },
  },
};
