import { id, listOf, oneOf, text } from '../../../kernel/api/kinds.ts';
import { feedItemKind } from '../../../kernel/feed/feed-item.ts';

const definition = { customer_status: id() };

export const statusCreated = feedItemKind('customer_status.created', { object: 'customer_status', description: 'The business has a new status for customers.', payload: definition });
export const statusUpdated = feedItemKind('customer_status.updated', {
  object: 'customer_status',
  description: 'Something about a status changed, its place in the order included; `changed` names the properties.',
  payload: { ...definition, changed: listOf(text()) },
});
export const statusDeleted = feedItemKind('customer_status.deleted', { object: 'customer_status', description: 'A status was deleted.', payload: definition });

export const STATUS_CHANGED_BY = ['staff', 'workflow', 'rule', 'deletion'] as const;

export const statusChanged = feedItemKind('customer_status.changed', {
  object: 'customer',
  description: 'A customer got another status. `from` and `to` are slugs, null where there was or is none; `workflow_run` is the run behind it, where there is one.',
  payload: { customer: id(), from: text().nullable(), to: text().nullable(), by: oneOf(STATUS_CHANGED_BY), workflow_run: id().nullable() },
});

export const statusFeed = [statusCreated, statusUpdated, statusDeleted, statusChanged];
