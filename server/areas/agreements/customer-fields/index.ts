import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { answersFilter } from './answers-filter.ts';
import { changeFields } from './change-fields.ts';
import { customerField, customerFieldValue } from './customer-field.ts';
import { embedded } from '../../../kernel/base/fields/kinds.ts';
import { changeForms } from './forms/change-forms.ts';
import { customerForm, customerFormSubmission } from './forms/customer-form.ts';
import { findForms, onForms } from './forms/find-forms.ts';
import { formRequirement } from './forms/requirement.ts';
import { requirements } from '../../scheduling/schedule/index.ts';
import { submitForm } from './forms/submit.ts';
import { flagProperties } from './flags.ts';
import { FEED } from './feed.ts';
import { fieldValueWriter } from './writes.ts';
import { fieldValueWriters } from '../../people/customers/index.ts';
import { findFields } from './find-fields.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { importAnswers, type FiledAnswer } from './writes.ts';
export { formsBeforePurchase, formsForMembership } from './forms/requirement.ts';
export { readComparedAnswers } from './compared-answers.ts';
export { ANSWER_COLUMNS, answersOf, customerField, customerFieldValue } from './customer-field.ts';

export const customerFields: Area = {
  name: 'customer_fields',
  description: 'Questions that the business asks its customers, and their answers.',
  tables: TABLES,
  translations: readTranslations('customer-fields/refusals'),
  resources: [customerField, customerFieldValue],
  endpoints: [...findFields, ...changeFields],
  properties: {
    customer: {
      fields: {
        field_values: embedded('customer_field_value', { column: 'customer_id' })
          .deferred()
          .describe('The answers that the caller may see.'),
        ...flagProperties.fields,
      },
    },
  },
  topics: [
    {
      name: 'customer_forms',
      description: 'Questions that customers answer together, and their submissions.',
      resources: [customerForm, customerFormSubmission],
      endpoints: [...findForms, ...changeForms, submitForm],
    },
  ],
  filters: {
    '/customers': { answers: answersFilter },
    '/memberships': { forms: onForms('membership') },
    '/offering_types': { forms: onForms('offering_type') },
  },
  feed: FEED,
  fills: [fieldValueWriters.with(fieldValueWriter), requirements.with(formRequirement)],
};
