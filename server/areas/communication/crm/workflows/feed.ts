import { id, integer, listOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const workflow = { workflow: ref('crm_workflow') };
const action = { workflow_action: ref('crm_workflow_action'), ...workflow };

export const workflowCreated = feedItemKind('crm_workflow.created', {
  object: 'crm_workflow',
  description: 'A workflow was created.',
  payload: workflow,
});
export const workflowUpdated = feedItemKind('crm_workflow.updated', {
  object: 'crm_workflow',
  description: 'A workflow was changed; `changed` names the properties.',
  payload: { ...workflow, changed: listOf(text()) },
});
export const workflowDeleted = feedItemKind('crm_workflow.deleted', {
  object: 'crm_workflow',
  description: 'A workflow was deleted, with its actions.',
  payload: workflow,
});
export const actionCreated = feedItemKind('crm_workflow_action.created', {
  object: 'crm_workflow_action',
  description: 'An action was added to a workflow.',
  payload: action,
});
export const actionUpdated = feedItemKind('crm_workflow_action.updated', {
  object: 'crm_workflow_action',
  description: 'An action of a workflow was changed; `changed` names the properties.',
  payload: { ...action, changed: listOf(text()) },
});
export const actionDeleted = feedItemKind('crm_workflow_action.deleted', {
  object: 'crm_workflow_action',
  description: 'An action of a workflow was deleted.',
  payload: action,
});

export const webhookCalled = feedItemKind('crm_workflow.webhook_called', {
  object: 'customer',
  description:
    'A workflow notifies other programs. To receive it, subscribe a webhook destination. `name` is the name of the action.',
  payload: { customer: id(), ...action, workflow_run: id(), name: text().nullable() },
});

export const customerInactive = feedItemKind('customer.inactive', {
  object: 'customer',
  description:
    'A customer has not come for this many days. Recorded once each for 7, 14, 21, 30, 45, 60, 90, 180 and 365 days.',
  payload: { customer: id(), days: integer({ min: 1 }), last_visit: text() },
});

export const workflowFeed = [
  workflowCreated,
  workflowUpdated,
  workflowDeleted,
  actionCreated,
  actionUpdated,
  actionDeleted,
  webhookCalled,
  customerInactive,
];
