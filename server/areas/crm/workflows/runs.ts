import { embedded, id, instant, integer, listOf, map, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { filter, get, list, staffWith } from '../../../kernel/api/endpoint.ts';
import { may, type Viewer } from '../../../kernel/access/viewer.ts';
import { raw, sql } from '../../../kernel/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

const visible = { provider: (_t: string, viewer: Viewer) => may(viewer, 'super_admin'), customer: false, unregistered: false };

export const RUN_STATES = ['waiting', 'done', 'stopped'] as const;

export const workflowStep = resource('workflow_step', {
  description: 'What became of one action in a run of its workflow.',
  fields: {
    id: id(),
    workflow_action: id().from((t) => raw(`${t}.workflow_action_id`)),
    due_at: instant(),
    status: oneOf(['waiting', 'acted', 'skipped', 'stopped']),
    reason: text().nullable().describe('Why it did not act.'),
    conditions: listOf(map()).describe('Each condition with whether it held and the facts that it used.'),
    effect: map().nullable().describe('What it did.'),
    finished_at: instant().nullable(),
  },
  visible,
});

export const workflowRun = resource('workflow_run', {
  description: 'A feed item set off a workflow. Kept as a record of what was done, and of what was not and why.',
  fields: {
    id: id(),
    workflow: id().from((t) => raw(`${t}.workflow_id`)).describe('Also of one that was deleted since.'),
    customer: ref('customer'),
    feed_item: id().describe('The number of the feed item.'),
    trigger: text(),
    triggered_at: instant(),
    status: oneOf(RUN_STATES).describe('`stopped`: it did not begin, see `reason`.'),
    reason: text().nullable(),
    caused_by: id().nullable().from((t) => raw(`${t}.caused_by_id`)).describe('The run whose effect set this one off.'),
    depth: integer({ min: 0 }).describe('How many runs stand behind it.'),
    steps: embedded('workflow_step', { column: 'workflow_run_id' }),
    created_at: instant(),
    finished_at: instant().nullable(),
  },
  visible,
});

const who = staffWith('super_admin');

export const findRuns = [
  list(workflowRun, {
    path: '/crm/workflow_runs',
    summary: 'Find out what workflows did, and what not and why',
    who,
    filters: {
      workflow: filter(id(), (t, workflow) => sql`${raw(t)}.workflow_id = ${workflow}`),
      customer: filter(id(), (t, customer) => sql`${raw(t)}.customer_id = ${customer}`),
      status: filter(oneOf(RUN_STATES), (t, status) => sql`${raw(t)}.status = ${status}`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, triggered_at: { by: (t) => raw(`${t}.triggered_at`) } },
    defaultSort: '-id',
  }),
  get(workflowRun, { path: '/crm/workflow_runs/{id}', summary: 'Get a run of a workflow', who }),
];
