import { id, listOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const of = { customer_task: id(), customer: id() };

export const taskCreated = feedItemKind('customer_task.created', {
  object: 'customer_task',
  description: 'A customer task was created. `workflow_run` is the run that created it, if one did.',
  payload: { ...of, workflow_run: id().nullable() },
});
export const taskUpdated = feedItemKind('customer_task.updated', {
  object: 'customer_task',
  description: 'A customer task was changed; `changed` names the properties.',
  payload: { ...of, changed: listOf(text()) },
});
export const taskDone = feedItemKind('customer_task.done', {
  object: 'customer_task',
  description: 'A customer task was completed.',
  payload: of,
});
export const taskReopened = feedItemKind('customer_task.reopened', {
  object: 'customer_task',
  description: 'A completed customer task was reopened.',
  payload: of,
});
export const taskDeleted = feedItemKind('customer_task.deleted', {
  object: 'customer_task',
  description: 'A customer task was deleted.',
  payload: of,
});

export const taskFeed = [taskCreated, taskUpdated, taskDone, taskReopened, taskDeleted];
