import { ACTION_TYPES, SETTINGS } from './action-kinds.ts';
import { conditions } from './conditions.ts';
import { Field } from '../../../../kernel/base/fields/field.ts';
import { id, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { visibleWhileThere } from './workflow.ts';

/** The properties of all kinds of actions as shown: null for kinds without them. */
const shown = Object.fromEntries(
  Object.entries(SETTINGS as Record<string, Field<any>>).map(([name, { spec }]) => [
    name,
    new Field<any>({ ...spec, optional: false, nullable: true, relation: undefined }).computed(
      (t) => [raw(`(${t}.settings->'${name}')::text`)],
      ([json]) => (json === null ? null : JSON.parse(json)),
    ),
  ]),
);

export const DELAY = text({ max: 40 }).describe(
  'ISO 8601, for example P3D or PT30M. Years, months, weeks and days are calendar units. At most two years. Null means immediately.',
);

export const workflowAction = resource('crm_workflow_action', {
  description: 'One thing that a workflow does: what, when, and under which conditions.',
  table: 'workflow_action',
  fields: {
    id: id(),
    name: text({ max: 255 }).nullable(),
    action_type: oneOf(ACTION_TYPES),
    workflow: ref('crm_workflow', 'workflow_id'),
    conditions: conditions().describe('All of them must be met when the action is due.'),
    scheduled_delay: DELAY.nullable(),
    ...shown,
  },
  visible: visibleWhileThere,
});
