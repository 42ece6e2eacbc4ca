import { changes } from '../../../../kernel/api/resource-changes.ts';
import { action, choice, filter, one, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { boolean, date, id, ref } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, updateRow, deleteRow } from '../../../../kernel/work/unit/row.ts';
import { createTask } from './writes.ts';
import { customerTask } from './customer-task.ts';
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { customerTaskFeed } from './feed.ts';

const f = customerTask.fields;
const who = staffWith('customers');

const body = {
  title: f.title,
  description: f.description.optional(),
  due_date: f.due_date.optional(),
  assignee: ref('staff').nullable().optional(),
};

/** Completing a completed task, or reopening an open one, changes nothing. */
const marking = (done: boolean) =>
  action({
    path: `/customer_tasks/{id}/${done ? 'complete' : 'reopen'}`,
    summary: done ? 'Complete a customer task' : 'Reopen a customer task',
    who,
    target: customerTask,
    returns: one(customerTask),
    run: async ({ work, target }) => {
      if ((target.done_at !== null) === done) return target.id;
      await updateRow(work, 'customer_task', target.id, {
        done_at: done ? instant(work.now) : null,
        done_by_id: done ? work.viewer.staffId : null,
      });
      work.record(done ? customerTaskFeed.done : customerTaskFeed.reopened, target.id, {
        customer_task: target.id,
        customer: target.customer_id,
      });
      return target.id;
    },
  });

export const tasks = [
  ...listAndGet(customerTask, {
    path: '/customer_tasks',
    summary: 'List customer tasks',
    get: 'Get a customer task',
    who,
    filters: {
      customer: filter(id(), (t, customer) => sql`${raw(t)}.customer_id = ${customer}`),
      assignee: filter(id(), (t, assignee) => sql`${raw(t)}.assignee_id = ${assignee}`),
      done: choice(boolean(), {
        true: (t) => raw(`${t}.done_at IS NOT NULL`),
        false: (t) => raw(`${t}.done_at IS NULL`),
      }),
      due_before: filter(date().describe('Due before this date.'), (t, day) => sql`${raw(t)}.due_date < ${day}::date`),
    },
    sort: { due_date: { by: (t) => raw(`${t}.due_date`) }, created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: 'due_date',
  }),
  ...changes(customerTask, {
    path: '/customer_tasks',
    noun: 'customer task',
    who,
    body,
    first: { customer: ref('customer'), ...body },
    create: ({ work, body: sent }) => createTask(work, sent),
    update: async ({ work, body: { assignee, ...values }, target }) => {
      await updateRow(work, 'customer_task', target.id, { ...values, assignee_id: assignee });
      const changed = changedNames({ ...values, assignee });
      if (changed.length > 0)
        work.record(customerTaskFeed.updated, target.id, {
          customer_task: target.id,
          customer: target.customer_id,
          changed,
        });
    },
    remove: async ({ work, target }) => {
      await deleteRow(work, 'customer_task', target.id);
      work.record(customerTaskFeed.deleted, target.id, { customer_task: target.id, customer: target.customer_id });
    },
  }),
  marking(true),
  marking(false),
];
