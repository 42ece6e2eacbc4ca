import { id, integer, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

const workflow = { workflow: ref('crm_workflow') };
const action = { workflow_action: ref('crm_workflow_action'), ...workflow };

export const crmWorkflowFeed = feedKinds(
  'crm_workflow',
  { workflow: ref('crm_workflow') },
  {
    created: 'A workflow was created.',
    updated: 'A workflow was changed; `changed` names the properties.',
    deleted: 'A workflow was deleted, with its actions.',
  },
);
export const crmWorkflowActionFeed = feedKinds('crm_workflow_action', action, {
  created: 'An action was added to a workflow.',
  updated: 'An action of a workflow was changed; `changed` names the properties.',
  deleted: 'An action of a workflow was deleted.',
});

export const workflowWebhookFeed = feedKinds(
  'crm_workflow',
  { customer: id(), ...action, workflow_run: id(), name: text().nullable() },
  {
    webhook_called:
      'A workflow notifies other programs. To receive it, subscribe a webhook destination. `name` is the name of the action.',
  },
  { object: 'customer' },
);

export const inactivityFeed = feedKinds(
  'customer',
  { customer: id(), days: integer({ min: 1 }), last_visit: text() },
  {
    inactive:
      'A customer has not come for this many days. Recorded once each for 7, 14, 21, 30, 45, 60, 90, 180 and 365 days.',
  },
);

export const birthdayFeed = feedKinds(
  'customer',
  { customer: id() },
  { birthday: 'It is the birthday of a customer whose date of birth is known.' },
);

export const membershipEndingFeed = feedKinds(
  'customer_membership',
  { customer_membership: ref('customermembership'), customer: id() },
  { ends_soon: 'A membership that a customer holds ends in seven days.' },
  { object: 'customermembership' },
);

export const workflowFeed = [
  crmWorkflowFeed,
  crmWorkflowActionFeed,
  workflowWebhookFeed,
  inactivityFeed,
  birthdayFeed,
  membershipEndingFeed,
];
