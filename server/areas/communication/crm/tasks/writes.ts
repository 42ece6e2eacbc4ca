import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { customerTaskFeed } from './feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface NewTask {
  readonly customer: number;
  readonly title: string;
  readonly description?: string | null;
  readonly due_date?: string | null;
  readonly assignee?: number | null;
  readonly workflow_run?: number;
}

export async function createTask(
  work: Work,
  { customer, assignee, workflow_run: run, ...values }: NewTask,
): Promise<number> {
  const id = await insertRow(work, 'customer_task', {
    ...values,
    customer_id: customer,
    assignee_id: assignee,
    workflow_run_id: run,
  });
  work.record(customerTaskFeed.created, id, { customer_task: id, customer, workflow_run: run ?? null });
  work.effect('task_created', 'customer_task', id, { customer });
  return id;
}
