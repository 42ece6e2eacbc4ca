import { id, listOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const definition = { customer_label: id() };
const worn = { customer: id(), customer_label: id(), label: text(), workflow_run: id().nullable() };

export const labelCreated = feedItemKind('customer_label.created', {
  object: 'customer_label',
  description: 'A customer label was created.',
  payload: definition,
});
export const labelUpdated = feedItemKind('customer_label.updated', {
  object: 'customer_label',
  description: 'A customer label was changed; `changed` names the properties.',
  payload: { ...definition, changed: listOf(text()) },
});
export const labelDeleted = feedItemKind('customer_label.deleted', {
  object: 'customer_label',
  description: 'A customer label was deleted and removed from everyone who had it.',
  payload: definition,
});

export const labelAdded = feedItemKind('customer_label.added', {
  object: 'customer',
  description:
    'A label was added to a customer. `label` is its slug; `workflow_run` is the run that added it, if one did.',
  payload: worn,
});
export const labelRemoved = feedItemKind('customer_label.removed', {
  object: 'customer',
  description:
    'A label was removed from a customer. `label` is its slug; `workflow_run` is the run that removed it, if one did.',
  payload: worn,
});

export const labelFeed = [labelCreated, labelUpdated, labelDeleted, labelAdded, labelRemoved];
