/**
 * Kinds of actions, one entry each: its properties, the checks when it is saved, and its effect. To add a kind, add an
 * entry here. Each acts in the transaction of the job that marks it as done: by a change of rows, a feed item, or a
 * message that is queued under a key; nothing is sent from here.
 */
import { addDays } from '../../../../kernel/base/values/zone.ts';
import { addLabel, removeLabel } from '../labels/writes.ts';
import { createTask } from '../tasks/writes.ts';
import { findLabel, findStaff, findStatus } from './names.ts';
import { integer, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { messageKinds } from './message-kinds.ts';
import { isStatusLocked, setStatus } from '../statuses/writes.ts';
import { workflowWebhookFeed } from './feed.ts';
import type { ActionKind, Outcome } from './action-kind.ts';

const did = (effect: Record<string, unknown>): Outcome => ({ did: effect });
const not = (reason: string): Outcome => ({ didNot: reason });

const labelled = (verb: 'add' | 'remove'): ActionKind => ({
  description: verb === 'add' ? 'Adds a label to the customer.' : 'Removes a label from the customer.',
  needs: { label: text({ max: 64 }).describe('The slug, the id or the name.') },
  check: async (work, { label }) => ({ label: (await findLabel(work, label, 'label')).slug }),
  async act(work, { customer, run }, settings) {
    const label = await findLabel(work, settings.label, 'label');
    const changed =
      verb === 'add' ? await addLabel(work, customer, label, run) : await removeLabel(work, customer, label, run);
    return changed
      ? did({ label: label.slug })
      : not(verb === 'add' ? 'The customer already has the label.' : 'The customer does not have the label.');
  },
});

export const ACTION_KINDS: Readonly<Record<string, ActionKind>> = {
  ...messageKinds,

  add_label: labelled('add'),
  remove_label: labelled('remove'),

  set_status: {
    description: 'Sets the status of the customer.',
    needs: { status: text({ max: 64 }).describe('The slug, the id or the name.') },
    check: async (work, { status }) => ({ status: (await findStatus(work, status, 'status')).slug }),
    async act(work, { customer, run }, settings) {
      const status = await findStatus(work, settings.status, 'status');
      if (await setStatus(work, customer, status.id, { by: 'workflow', workflowRun: run }))
        return did({ status: status.slug });
      return not(
        (await isStatusLocked(work, customer))
          ? "The customer's status is locked."
          : 'The customer already has this status.',
      );
    },
  },

  create_task: {
    description: 'Creates a task for staff about the customer.',
    needs: { title: text({ max: 255 }) },
    takes: {
      description: text({ max: 10_000 }),
      staff: ref('staff').describe('The staff member who does the task or gets the message.'),
      due_in_days: integer({ min: 0, max: 365 }).describe('Calendar days after the task is created.'),
    },
    async check(work, { staff }) {
      if (staff !== undefined) await findStaff(work, staff);
      return {};
    },
    async act(work, { customer, run, today }, { title, description, staff, due_in_days: days }) {
      const assignee =
        staff === undefined
          ? null
          : await findStaff(work, staff).then(
              () => staff,
              () => null,
            );
      const task = await createTask(work, {
        customer,
        title,
        description,
        assignee,
        due_date: days === undefined ? null : addDays(today, days),
        workflow_run: run,
      });
      return did({ customer_task: task });
    },
  },

  call_webhook: {
    description:
      'Notifies other programs with a feed item of its own. Webhook destinations that are subscribed to `crm_workflow.webhook_called` are called, with the usual retries and signatures.',
    needs: {},
    async act(work, { customer, run, workflow, action, name }) {
      work.record(workflowWebhookFeed.webhook_called, customer, {
        customer,
        workflow,
        workflow_action: action,
        workflow_run: run,
        name,
      });
      return did({ feed_item: workflowWebhookFeed.webhook_called.kind });
    },
  },
};

export const ACTION_TYPES = Object.keys(ACTION_KINDS);

/** Every property of any kind of action, by name. If two kinds use the same name, it means the same. */
export const SETTINGS = Object.assign(
  {},
  ...Object.values(ACTION_KINDS).map(({ needs, takes }) => ({ ...needs, ...takes })),
);
