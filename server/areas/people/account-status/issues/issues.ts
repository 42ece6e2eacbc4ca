import { changedNames, deleteRow, insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { changes } from '../../../../kernel/api/resource-changes.ts';
import { customerIssue, IMPORTANCES, statusId } from './customer-issue.ts';
import { customerIssueFeed } from '../feed.ts';
import { filter, listAndGet, staffWith } from '../../../../kernel/api/endpoint.ts';
import { id, integer, listOf, object, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

const who = staffWith('customers');

const body = {
  name: customerIssue.fields.name,
  importance: oneOf(IMPORTANCES).optional().describe('`flag_on_profile` shows it wherever staff see the customer.'),
  case_type: object({ name: text({ max: 256 }).nullable() })
    .nullable()
    .optional(),
};

export const issues = [
  ...listAndGet(customerIssue, {
    path: '/customer_issues',
    summary: 'List customer issues',
    get: 'Get a customer issue',
    who,
    filters: {
      customer: filter(listOf(id(), { max: 100 }), (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`),
      importance: filter(listOf(oneOf(IMPORTANCES)), (t, wanted) => sql`${raw(t)}.importance = ANY(${wanted}::text[])`),
      status: filter(
        integer({ min: 1 }).describe('1: flagged on the profile. 2: normal. 3: closed.'),
        (t, status) => sql`${statusId(t)} = ${status}::bigint`,
      ),
    },
    sort: { created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-created_at',
  }),
  ...changes(customerIssue, {
    path: '/customer_issues',
    noun: 'customer issue',
    who,
    body,
    first: { customer: ref('customer'), ...body },
    create: async ({ work, body: { customer, case_type, ...values } }) => {
      const issue = await insertRow(work, 'customer_issue', {
        ...values,
        case_type: case_type?.name,
        customer_id: customer,
      });
      work.record(customerIssueFeed.created, issue, { customer_issue: issue, customer });
      return issue;
    },
    update: async ({ work, body: { case_type, ...values }, target }) => {
      const kind = case_type === undefined ? undefined : (case_type?.name ?? null);
      await updateRow(work, 'customer_issue', target.id, { ...values, case_type: kind });
      const changed = changedNames({ ...values, case_type });
      if (changed.length > 0)
        work.record(customerIssueFeed.updated, target.id, {
          customer_issue: target.id,
          customer: target.customer_id,
          changed,
        });
    },
    remove: async ({ work, target }) => {
      await deleteRow(work, 'customer_issue', target.id);
      work.record(customerIssueFeed.deleted, target.id, { customer_issue: target.id, customer: target.customer_id });
    },
  }),
];
