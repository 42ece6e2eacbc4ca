import { embedded, id, instant, integer, listOf, map, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { filter, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { may, type Viewer } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

const visible = {
  provider: (_t: string, viewer: Viewer) => may(viewer, 'super_admin'),
  customer: false,
  unregistered: false,
};

export const RUN_STATES = ['waiting', 'done', 'stopped'] as const;

export const workflowStep = resource('workflow_step', {
  description: 'The outcome of one action in a workflow run.',
  fields: {
    id: id(),
    workflow_action: id().from((t) => raw(`${t}.workflow_action_id`)),
    due_at: instant(),
    status: oneOf(['waiting', 'acted', 'skipped', 'stopped']),
    reason: text().nullable().describe('Why the action was not run.'),
    conditions: listOf(map()).describe('Each condition with its result and the facts that it used.'),
    effect: map().nullable().describe('Effect of the action.'),
    finished_at: instant().nullable(),
  },
  visible,
});

export const workflowRun = resource('workflow_run', {
  description:
    'One run of a workflow, triggered by a feed item. Kept as a record of what was done, and of what was not done and why.',
  fields: {
    id: id(),
    workflow: id()
      .from((t) => raw(`${t}.workflow_id`))
      .describe('The id is kept even after the workflow is deleted.'),
    customer: ref('customer'),
    feed_item: id().describe('The id of the feed item.'),
    trigger: text(),
    triggered_at: instant(),
    status: oneOf(RUN_STATES).describe('`stopped`: it was not started; see `reason`.'),
    reason: text().nullable(),
    caused_by: id()
      .nullable()
      .from((t) => raw(`${t}.caused_by_id`))
      .describe('The run whose effect triggered this one.'),
    depth: integer({ min: 0 }).describe('Number of runs that led to this one.'),
    steps: embedded('workflow_step', { column: 'workflow_run_id' }),
    created_at: instant(),
    finished_at: instant().nullable(),
  },
  visible,
});

const who = staffWith('super_admin');

export const findRuns = [
  ...listAndGet(workflowRun, {
    path: '/crm/workflow_runs',
    summary: 'List workflow runs',
    get: 'Get a workflow run',
    who,
    filters: {
      workflow: filter(id(), (t, workflow) => sql`${raw(t)}.workflow_id = ${workflow}`),
      customer: filter(id(), (t, customer) => sql`${raw(t)}.customer_id = ${customer}`),
      status: filter(oneOf(RUN_STATES), (t, status) => sql`${raw(t)}.status = ${status}`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, triggered_at: { by: (t) => raw(`${t}.triggered_at`) } },
    defaultSort: '-id',
  }),
];
