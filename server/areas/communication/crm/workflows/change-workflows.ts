import { changes } from '../../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../../kernel/api/endpoint.ts';
import { boolean, text } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { createAction, newActions } from './change-actions.ts';
import { customerTrigger } from '../triggers.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { workflow } from './workflow.ts';
import { crmWorkflowActionFeed, crmWorkflowFeed } from './feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const name = text({ max: 255 }).nullable().optional();

export const changeWorkflows = changes(workflow, {
  path: '/crm/workflows',
  noun: 'workflow',
  who,
  body: { name, trigger: customerTrigger().optional(), is_enabled: boolean().optional() },
  first: { name, trigger: customerTrigger(), is_enabled: boolean().default(true), actions: newActions() },
  create: {
    description:
      'It applies to what happens from now on. Without actions, it does nothing: send them in `actions`, or add them later.',
    run: async ({ work, body: { actions = [], ...values } }) => {
      const id = await insertRow(work, 'workflow', { ...values, enabled_at: instant(work.now) });
      work.record(crmWorkflowFeed.created, id, { workflow: id });
      for (const [n, action] of actions.entries())
        await createAction(work, { ...action, workflow: id }, `actions.${n}.`);
      return id;
    },
  },
  update: {
    summary: 'Update a workflow, or switch it on or off',
    description:
      'What happens while it is off is not made up for later. Pending actions that are due while it is off do not run.',
    run: async ({ work, body, target }) => {
      if (body.trigger !== undefined && body.trigger !== target.trigger)
        await checkConditions(work, target.id, body.trigger);
      const begins = body.is_enabled === true && !target.is_enabled;
      await updateRow(work, 'workflow', target.id, { ...body, ...(begins && { enabled_at: instant(work.now) }) });
      const changed = changedNames(body);
      if (changed.length > 0) work.record(crmWorkflowFeed.updated, target.id, { workflow: target.id, changed });
    },
  },
  remove: {
    summary: 'Delete a workflow and its actions',
    description: 'Pending actions do not run. Its runs stay on record.',
    run: async ({ work, target }) => {
      const { tx, providerId } = work;
      const now = instant(work.now);
      const actions = await tx.rows(
        sql`SELECT * FROM workflow_action WHERE provider_id = ${providerId} AND workflow_id = ${target.id}
          AND deleted_at IS NULL FOR UPDATE`,
      );
      for (const row of actions) {
        work.touch('workflow_action', row.id, row);
        work.record(crmWorkflowActionFeed.deleted, row.id, { workflow_action: row.id, workflow: target.id });
      }
      await tx.all([
        sql`UPDATE workflow_action SET deleted_at = ${now}, updated_at = ${now}
          WHERE provider_id = ${providerId} AND workflow_id = ${target.id} AND deleted_at IS NULL`,
        sql`UPDATE workflow SET deleted_at = ${now}, updated_at = ${now}
          WHERE provider_id = ${providerId} AND id = ${target.id}`,
      ]);
      work.record(crmWorkflowFeed.deleted, target.id, { workflow: target.id });
    },
  },
});

/** Conditions about a change of status make sense with only one trigger. */
async function checkConditions(work: Work, workflowId: number, trigger: string): Promise<void> {
  if (trigger === 'customer_status.changed') return;
  const bound = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM workflow_action WHERE provider_id = ${work.providerId} AND workflow_id = ${workflowId}
      AND deleted_at IS NULL
          AND conditions @> '[{"condition_type": "crm_status_change"}]' ORDER BY id LIMIT 1`,
  );
  if (bound)
    throw invalid(
      'trigger',
      `Action ${bound.id} has a condition about a change of status, which ${trigger} does not include.`,
    );
}
