import { action, answer, list, STAFF } from '../../../kernel/api/endpoint.ts';
import { text } from '../../../kernel/api/kinds.ts';
import { raw, param, sql } from '../../../kernel/db/sql.ts';
import { bulkAction, bulkActionResult } from './bulk-action.ts';
import type { Input } from '../../../kernel/access/viewer.ts';

const parent = param<Input>((i) => i.id);

export const listResults = list(bulkActionResult, {
  path: '/bulk_actions/{id}/results',
  summary: 'List the results of a bulk action',
  who: STAFF,
  target: bulkAction,
  within: (t) => sql`${raw(t)}.bulk_action_id = ${parent}`,
});

/** Results are kept for good, so there is nothing to prepare: the job is the action's own. */
export const exportResults = action({
  path: '/bulk_actions/{id}/export',
  summary: 'Export the results of a bulk action',
  description:
    'Returns the id of a job. When all items of `GET /jobs/{id}` are complete, its `result_url` has the result of each object, page by page.',
  who: STAFF,
  target: bulkAction,
  returns: answer({ job: text({ max: 20 }) }),
  silent: 'it says where the results are, and does nothing',
  run: async ({ target }) => ({ job: String(target.job_id) }),
});
