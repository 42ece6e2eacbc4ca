/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { purposeOf } from './customer-field.ts';
import { purposeOfSubmission } from './forms/customer-form.ts';

export const TABLES: Tables = {
  ...ofBusiness(
    'customer_field',
    'customer_field_choice',
    'customer_form',
    'customer_form_field',
    'customer_form_membership',
    'customer_form_offering_type',
  ),
  customer_form_submission: {
    ...deleted('submitted_forms', { opened: { sealed: 'answers' } }),
    sealed: { sealed: (row) => purposeOfSubmission(row.provider_id, row.id) },
  },
  customer_field_value: {
    ...deleted('answers', { opened: { sealed: 'value' } }),
    sealed: { sealed: (row) => (row.sealed === null ? null : purposeOf(row.provider_id, row.id)) },
  },
};
