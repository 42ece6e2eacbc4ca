import { date, id, instant, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

export const customerTask = resource('customer_task', {
  description: 'Something for staff to do about a customer. Customers never see it.',
  fields: {
    id: id(),
    customer: ref('customer'),
    title: text({ max: 255 }),
    description: text({ max: 10_000 }).nullable(),
    due_date: date().nullable(),
    assignee: ref('staff', 'assignee_id').nullable().describe('Null means anyone can do it.'),
    done_at: instant().nullable(),
    done_by: ref('staff', 'done_by_id')
      .nullable()
      .describe('Null while the task is open, or if a program completed it.'),
    workflow_run: id()
      .nullable()
      .from((t) => raw(`${t}.workflow_run_id`))
      .describe('The workflow run that created it.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
