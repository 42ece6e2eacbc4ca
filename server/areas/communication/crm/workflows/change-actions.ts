import { changes } from '../../../../kernel/api/resource-changes.ts';
import { ACTION_KINDS, ACTION_TYPES, SETTINGS } from './action-kinds.ts';
import { staffWith } from '../../../../kernel/api/endpoint.ts';
import { crmWorkflowActionFeed } from './feed.ts';
import { changedNames, insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { conditions } from './conditions.ts';
import { DELAY, workflowAction } from './workflow-action.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Issues, Problem } from '../../../../kernel/base/problem.ts';
import { listOf, object, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { parseDelay } from '../rules/delay.ts';
import { settleConditions } from './names.ts';
import type { Condition } from '../rules/conditions.ts';
import type { Field } from '../../../../kernel/base/fields/field.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');

/** Null counts as absent: an action that was read can be sent back unchanged, with the properties of other kinds. */
const settings = Object.fromEntries(
  Object.entries(SETTINGS as Record<string, Field<any>>).map(([name, field]) => [name, field.nullable().optional()]),
);

const body = {
  name: text({ max: 255 }).nullable().optional(),
  action_type: oneOf(ACTION_TYPES),
  workflow: ref('crm_workflow'),
  conditions: conditions(),
  scheduled_delay: DELAY.nullable(),
  ...settings,
};

interface Stored {
  readonly workflow_id: number;
  readonly action_type: string;
  readonly conditions: readonly Condition[];
  readonly settings: Record<string, unknown>;
}

/** Returns the final columns: the values that were sent, and the stored ones for the rest. */
async function settled(work: Work, sent: Record<string, any>, stored?: Stored): Promise<Record<string, unknown>> {
  const {
    name,
    action_type: type = stored?.action_type,
    workflow: workflowId = stored?.workflow_id,
    conditions: wanted,
    scheduled_delay: delay,
    ...given
  } = sent;
  if (typeof delay === 'string' && parseDelay(delay) === null) {
    throw invalid(
      'scheduled_delay',
      'Must be an ISO 8601 duration of at most two years without fractions, for example P3D or PT30M.',
    );
  }
  const trigger = await triggerOf(work, workflowId);
  const kept = type === stored?.action_type ? stored!.settings : {};
  const moved = stored !== undefined && workflowId !== stored.workflow_id;
  return {
    name,
    action_type: type,
    workflow_id: workflowId,
    scheduled_delay: delay,
    ...((wanted || moved) && { conditions: json(await settleConditions(work, wanted ?? stored!.conditions, trigger)) }),
    ...((Object.keys(given).length > 0 || type !== stored?.action_type) && {
      settings: json(await settle(work, type, present({ ...kept, ...given }))),
    }),
  };
}

const present = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/**
 * Returns the trigger of the workflow and locks it: it can't be deleted or get another trigger until this is stored.
 */
async function triggerOf(work: Work, id: number): Promise<string> {
  const row = await work.tx.one<{ trigger: string }>(
    sql`SELECT trigger FROM workflow WHERE provider_id = ${work.providerId} AND id = ${id} AND deleted_at IS NULL
      FOR SHARE`,
  );
  if (!row) throw invalid('workflow', `There is no workflow with the id ${id}.`);
  return row.trigger;
}

async function settle(work: Work, type: string, values: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { needs, takes = {}, check } = ACTION_KINDS[type];
  const issues = new Issues();
  for (const name of Object.keys(needs))
    if (values[name] === undefined) issues.add(name, `The action ${type} requires it.`);
  for (const name of Object.keys(values))
    if (!(name in needs) && !(name in takes)) issues.add(name, `The action ${type} does not use it. Leave it out.`);
  issues.throwIfAny();
  return { ...values, ...(await check?.(work, values)) };
}

const { workflow: _, ...actionBody } = body;

/** The actions of a new workflow. */
export const newActions = () =>
  listOf(object(actionBody), { max: 20 })
    .optional()
    .describe('Its actions, as in `POST /crm/workflow_actions`: either all of it is created or nothing.');

/** Adds an action and returns its id. `prefix`: the place of its properties in the request */
export async function createAction(work: Work, sent: Record<string, any>, prefix = ''): Promise<number> {
  const columns = await settled(work, sent).catch((error: unknown) => {
    if (!(error instanceof Problem) || prefix === '') throw error;
    throw new Problem(
      error.kind,
      error.message,
      Object.fromEntries(Object.entries(error.fields).map(([name, said]) => [`${prefix}${name}`, said])),
    );
  });
  const id = await insertRow(work, 'workflow_action', columns);
  work.record(crmWorkflowActionFeed.created, id, { workflow_action: id, workflow: sent.workflow });
  return id;
}

export const changeActions = changes(workflowAction, {
  path: '/crm/workflow_actions',
  noun: 'action of a workflow',
  who,
  body,
  create: {
    summary: 'Add an action to a workflow',
    description: 'It applies to what happens from now on.',
    run: ({ work, body: sent }) => createAction(work, sent),
  },
  update: {
    description: 'Pending actions run at their scheduled time with the settings that apply then.',
    run: async ({ work, body: sent, target }) => {
      const changed = changedNames(sent);
      if (changed.length === 0) return;
      await updateRow(work, 'workflow_action', target.id, await settled(work, sent, target as never));
      work.record(crmWorkflowActionFeed.updated, target.id, {
        workflow_action: target.id,
        workflow: sent.workflow ?? target.workflow_id,
        changed,
      });
    },
  },
  remove: {
    description: 'It does not run for customers for whom it is still pending.',
    run: async ({ work, target }) => {
      await updateRow(work, 'workflow_action', target.id, { deleted_at: instant(work.now) });
      work.record(crmWorkflowActionFeed.deleted, target.id, {
        workflow_action: target.id,
        workflow: target.workflow_id,
      });
    },
  },
});
