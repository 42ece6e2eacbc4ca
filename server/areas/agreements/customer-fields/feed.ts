import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const customerFieldFeed = feedKinds(
  'customer_field',
  { customer_field: id() },
  {
    created: 'A customer field was created.',
    updated: 'A customer field was changed or archived; `changed` names the properties.',
    deleted: 'A customer field that nobody had answered was deleted.',
  },
);

export const customerFieldValueFeed = feedKinds(
  'customer_field_value',
  { customer: id(), customer_field: id() },
  {
    created: 'A customer answered a field. The answer is not included.',
    updated: 'The answer of a customer was changed. Neither the earlier nor the new one is included.',
    deleted: 'The answer of a customer was removed.',
  },
);

export const customerFormFeed = feedKinds(
  'customer_form',
  { customer_form: id() },
  {
    created: 'A customer form was created.',
    updated: 'A customer form was changed; `changed` names the properties.',
    deleted: 'A customer form was deleted. What customers answered is kept.',
  },
);

export const customerFormSubmissionFeed = feedKinds(
  'customer_form_submission',
  { customer_form_submission: id(), customer_form: id(), customer: id() },
  { created: 'A customer answered a form. The answers are not included.' },
);

export const FEED = [customerFieldFeed, customerFieldValueFeed, customerFormFeed, customerFormSubmissionFeed];
