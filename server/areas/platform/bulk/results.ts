import { list, STAFF } from '../../../kernel/api/endpoint.ts';
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
