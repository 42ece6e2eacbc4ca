import { id } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

export const customerTaskFeed = feedKinds(
  'customer_task',
  { customer_task: id(), customer: id() },
  {
    created: {
      description: 'A customer task was created. `workflow_run` is the run that created it, if one did.',
      payload: { workflow_run: id().nullable() },
    },
    updated: 'A customer task was changed; `changed` names the properties.',
    done: 'A customer task was completed.',
    reopened: 'A completed customer task was reopened.',
    deleted: 'A customer task was deleted.',
  },
);

export const taskFeed = [customerTaskFeed];
