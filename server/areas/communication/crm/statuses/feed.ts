import { id, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

export const customerStatusFeed = feedKinds(
  'customer_status',
  { customer_status: id() },
  {
    created: 'A customer status was created.',
    updated: 'A customer status was changed, including its position in the order; `changed` names the properties.',
    deleted: 'A customer status was deleted.',
  },
);

export const STATUS_CHANGED_BY = ['staff', 'workflow', 'rule', 'deletion'] as const;

export const statusChangeFeed = feedKinds(
  'customer_status',
  {
    customer: id(),
    from: text().nullable(),
    to: text().nullable(),
    by: oneOf(STATUS_CHANGED_BY),
    workflow_run: id().nullable(),
  },
  {
    changed:
      "A customer's status was changed. `from` and `to` are slugs, or null for none; `workflow_run` is the run that changed it, if one did.",
  },
  { object: 'customer' },
);

export const statusFeed = [customerStatusFeed, statusChangeFeed];
