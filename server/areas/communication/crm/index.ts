import { customerFilters, customerProperties, customerSorts } from './of-customers.ts';
import { actJob } from './workflows/act.ts';
import { bulkDelete, deleteKind, endAndDelete } from './deletion/delete-customers.ts';
import { bulkJob } from '../../platform/bulk/index.ts';
import { changeActions } from './workflows/change-actions.ts';
import { changeLabels } from './labels/change-labels.ts';
import { changeStatuses } from './statuses/change-statuses.ts';
import { changeWorkflows } from './workflows/change-workflows.ts';
import { deletableFilters } from './deletion/deletion-blockers.ts';
import { customerLabel } from './labels/customer-label.ts';
import { customerNote } from './notes/customer-note.ts';
import { customerStatus } from './statuses/customer-status.ts';
import { customerTask } from './tasks/customer-task.ts';
import { findLabels } from './labels/find-labels.ts';
import { findRuns, workflowRun, workflowStep } from './workflows/runs.ts';
import { findStatuses } from './statuses/find-statuses.ts';
import { findWorkflows } from './workflows/find-workflows.ts';
import { inactiveJob, sweepDays } from './workflows/inactive.ts';
import { labelFeed } from './labels/feed.ts';
import { mergeEndpoint } from './merge/endpoint.ts';
import { mergeFeed } from './merge/feed.ts';
import { noteFeed } from './notes/feed.ts';
import { notes } from './notes/notes.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { setStatusEndpoint } from './statuses/set-status.ts';
import { simulate } from './workflows/simulate.ts';
import { statusFeed } from './statuses/feed.ts';
import { statusRules } from './statuses/rules-reader.ts';
import { taskFeed } from './tasks/feed.ts';
import { tasks } from './tasks/tasks.ts';
import { workflow } from './workflows/workflow.ts';
import { workflowAction } from './workflows/workflow-action.ts';
import { workflowFeed } from './workflows/feed.ts';
import { workflowReader } from './workflows/start-runs.ts';
import { conditionsAbout } from './workflows/names.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { importLabels, type ImportedLabels } from './labels/import-labels.ts';
export { importNotes, type ImportedNote } from './notes/import-notes.ts';
export { createWorkflow } from './workflows/change-workflows.ts';
export { firstKeepers, whatKeeps } from './deletion/deletion-blockers.ts';

const taken = (what: string) => () =>
  new Problem('already_exists', `slug: Another ${what} already has this slug.`, {
    slug: [`Another ${what} already has this slug. Send another one.`],
  });

export const crm: Area = {
  name: 'crm',
  description: 'Customer relationship management: statuses, labels, notes, tasks, and merging and deleting customers.',
  tables: TABLES,
  resources: [customerStatus, customerLabel, customerNote, customerTask],
  endpoints: [
    ...findStatuses,
    ...changeStatuses,
    setStatusEndpoint,
    ...findLabels,
    ...changeLabels,
    ...notes,
    ...tasks,
    mergeEndpoint,
    bulkDelete,
  ],
  topics: [
    {
      name: 'workflows',
      description: 'Automatic actions: triggers, conditions, actions, and their results.',
      resources: [workflow, workflowAction, workflowRun, workflowStep],
      endpoints: [...findWorkflows, ...changeWorkflows, ...changeActions, simulate, ...findRuns],
    },
  ],
  properties: { customer: customerProperties },
  filters: { '/customers': { ...customerFilters, ...deletableFilters } },
  sorts: { '/customers': customerSorts },
  uses: { customer_field: conditionsAbout },
  feed: [...statusFeed, ...labelFeed, ...noteFeed, ...taskFeed, ...workflowFeed, ...mergeFeed],
  readers: [statusRules, workflowReader],
  jobs: [actJob, inactiveJob, bulkJob(deleteKind), bulkJob(endAndDelete)],
  sweep: sweepDays,
  constraints: { customer_status_slug: taken('status'), customer_label_slug: taken('label') },
};
