/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { purposeOf } from './customer-field.ts';

export const TABLES: Tables = {
  ...ofBusiness('customer_field', 'customer_field_choice'),
  customer_field_value: {
    ...deleted('answers'),
    sealed: { sealed: (row) => (row.sealed === null ? null : purposeOf(row.provider_id, row.id)) },
  },
};
