import { ACTION_TYPES } from './action-kinds.ts';
import { boolean, id, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { customerTrigger } from '../triggers.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { workflow } from './workflow.ts';
import { workflowAction } from './workflow-action.ts';

const who = staffWith('super_admin');

export const findWorkflows = [
  ...listAndGet(workflow, {
    path: '/crm/workflows',
    summary: 'List workflows',
    get: 'Get a workflow',
    who,
    filters: {
      trigger: filter(customerTrigger(), (t, trigger) => sql`${raw(t)}.trigger = ${trigger}`),
      is_enabled: choice(boolean(), { true: (t) => raw(`${t}.is_enabled`), false: (t) => raw(`NOT ${t}.is_enabled`) }),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, name: { by: (t) => raw(`lower(${t}.name)`) } },
  }),
  ...listAndGet(workflowAction, {
    path: '/crm/workflow_actions',
    summary: 'List workflow actions',
    get: 'Get a workflow action',
    who,
    filters: {
      workflow: filter(id(), (t, of) => sql`${raw(t)}.workflow_id = ${of}`),
      action_type: filter(oneOf(ACTION_TYPES), (t, type) => sql`${raw(t)}.action_type = ${type}`),
      workflow_trigger: filter(
        customerTrigger(),
        (t, trigger) =>
          sql`
            EXISTS (SELECT FROM workflow w WHERE w.provider_id = ${raw(t)}.provider_id AND w.id = ${raw(t)}.workflow_id
              AND w.trigger = ${trigger})`,
      ),
    },
  }),
];
