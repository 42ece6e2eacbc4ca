import { id, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

export const customerLabelFeed = feedKinds(
  'customer_label',
  { customer_label: id() },
  {
    created: 'A customer label was created.',
    updated: 'A customer label was changed; `changed` names the properties.',
    deleted: 'A customer label was deleted and removed from everyone who had it.',
  },
);

export const customerLabelsFeed = feedKinds(
  'customer_label',
  { customer: id(), customer_label: id(), label: text(), workflow_run: id().nullable() },
  {
    added: 'A label was added to a customer. `label` is its slug; `workflow_run` is the run that added it, if one did.',
    removed:
      'A label was removed from a customer. `label` is its slug; `workflow_run` is the run that removed it, if one did.',
  },
  { object: 'customer' },
);

export const labelFeed = [customerLabelFeed, customerLabelsFeed];
