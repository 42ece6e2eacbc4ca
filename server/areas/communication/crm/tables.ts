/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { blanked, deleted, NUMBERS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('crm_day', 'customer_label', 'customer_status', 'customer_status_from', 'workflow', 'workflow_action'),
  customer_label_link: deleted('labels', { internal: true }),
  customer_note: deleted('notes', { internal: true }),
  customer_task: deleted('tasks', { internal: true }),
  workflow_run: blanked(
    'workflow_runs',
    NUMBERS,
    { reason: sql`CASE WHEN t.status = 'stopped' THEN t.reason END` },
    { internal: true },
  ),
  workflow_step: blanked(
    'workflow_steps',
    NUMBERS,
    { reason: sql`CASE WHEN t.reason IS NOT NULL THEN 'Erased.' END`, conditions: sql`'[]'::jsonb`, effect: sql`NULL` },
    {
      rows: ({
        ids,
      }) => sql`EXISTS (SELECT FROM workflow_run r WHERE r.provider_id = t.provider_id AND r.id = t.workflow_run_id
        AND r.customer_id = ANY(${ids}::bigint[]))`,
      internal: true,
    },
  ),
};
