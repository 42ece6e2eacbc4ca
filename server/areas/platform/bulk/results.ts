import { filter, list, STAFF } from '../../../kernel/api/endpoint.ts';
import { listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { raw, param, sql } from '../../../kernel/base/db/sql.ts';
import { bulkAction, bulkActionResult, RESULT_STATUSES } from './bulk-action.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const parent = param<Input>((i) => i.id);

export const listResults = list(bulkActionResult, {
  path: '/bulk_actions/{id}/results',
  summary: 'List the results of a bulk action',
  who: STAFF,
  target: bulkAction,
  filters: {
    status: filter(listOf(oneOf(RESULT_STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
  },
  within: (t) => sql`${raw(t)}.bulk_action_id = ${parent}`,
});
