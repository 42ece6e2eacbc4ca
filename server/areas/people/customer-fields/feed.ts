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

export const FEED = [customerFieldFeed, customerFieldValueFeed];
