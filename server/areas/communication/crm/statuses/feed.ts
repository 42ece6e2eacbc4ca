import { id, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const definition = { customer_status: id() };

export const statusCreated = feedItemKind('customer_status.created', {
  object: 'customer_status',
  description: 'A customer status was created.',
  payload: definition,
});
export const statusUpdated = feedItemKind('customer_status.updated', {
  object: 'customer_status',
  description: 'A customer status was changed, including its position in the order; `changed` names the properties.',
  payload: { ...definition, changed: listOf(text()) },
});
export const statusDeleted = feedItemKind('customer_status.deleted', {
  object: 'customer_status',
  description: 'A customer status was deleted.',
  payload: definition,
});

export const STATUS_CHANGED_BY = ['staff', 'workflow', 'rule', 'deletion'] as const;

export const statusChanged = feedItemKind('customer_status.changed', {
  object: 'customer',
  description:
    "A customer's status was changed. `from` and `to` are slugs, or null for none; `workflow_run` is the run that changed it, if one did.",
  payload: {
    customer: id(),
    from: text().nullable(),
    to: text().nullable(),
    by: oneOf(STATUS_CHANGED_BY),
    workflow_run: id().nullable(),
  },
});

export const statusFeed = [statusCreated, statusUpdated, statusDeleted, statusChanged];
