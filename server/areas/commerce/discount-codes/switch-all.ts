/** Activation or deactivation of all codes of a group, or all that match a list's filters. */
import { action, one, type WriteEndpoint } from '../../../kernel/api/endpoint.ts';
import { boolean, date, integer, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { discountCodeFeed } from './feed.ts';
import { CODE_PURCHASE_TYPES } from './rules/code.ts';
import { discountAmount } from './amount-field.ts';
import { discountCode, DISCOUNT_TYPES, STATUSES } from './discount-code.ts';
import { findGroup, groupChoice } from './groups.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { CODE_FILTERS, listCodes, who } from './find-codes.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { rowsOf } from '../../../kernel/api/reading/narrow.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Maximum for one request. Checkouts with one of these codes wait meanwhile: two or three seconds for this many rows,
 * feed items and audit entries.
 */
const MAX_CODES = 5000;

/** Properties that are accepted and ignored, for clients that send whole codes. */
const TOLERATED = {
  name: text({ max: 100 }).optional(),
  code: text({ max: 20 }).optional(),
  status: oneOf(STATUSES).optional(),
  uses: integer().optional(),
  allowed_uses: integer().nullable().optional(),
  allowed_uses_per_customer: integer().nullable().optional(),
  discount_type: oneOf(DISCOUNT_TYPES).optional(),
  discount_amount: discountAmount().optional(),
  usable_start_date: date().nullable().optional(),
  usable_end_date: date().nullable().optional(),
  usable_purchase_types: listOf(oneOf(CODE_PURCHASE_TYPES)).optional(),
  usable_by_new_customers_only: boolean().optional(),
  usable_by_default_for_purchase_types: boolean().optional(),
  applicable_billing_cycles: integer().optional(),
};

const switchAll = (verb: 'activate' | 'deactivate'): WriteEndpoint => {
  const status = verb === 'activate' ? 'active' : 'inactive';
  return action({
    path: `/discount_codes/${verb}_all`,
    summary: `${verb === 'activate' ? 'Activate' : 'Deactivate'} many discount codes`,
    description:
      `The codes of the group in the body, or those that the query parameters find, as \`GET /discount_codes\` does; with both, those that both find. Returns the first of them. Codes that are ${status} already stay as they are. ` +
      'The other properties in the body change nothing, but can be sent as a code has them.',
    who,
    query: { group: CODE_FILTERS.group.field, query: CODE_FILTERS.query.field },
    body: { ...TOLERATED, group: groupChoice().nullable().optional().describe('The group, by its id or its name.') },
    returns: one(discountCode),
    run: async ({ work, query, body }) => {
      const groups = [query.group ?? null, body.group ? await findGroup(work, body.group) : null].filter(
        (group) => group !== null,
      );
      if (groups.length === 0 && query.query === undefined)
        throw invalid('group', 'Choose the codes: send a group, or find them with `query`.');
      if (new Set(groups).size > 1) throw invalid('group', 'The body and the query name different groups. Send one.');
      return switchThose(work, { group: groups[0], query: query.query }, status);
    },
  });
};

export const switches = [switchAll('activate'), switchAll('deactivate')];

interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly status: string;
}

/** Finds codes by the list's filters, so that the request switches what the list shows. */
async function findIds(work: Work, query: Readonly<Record<string, unknown>>): Promise<number[]> {
  const input = { viewer: work.viewer, now: work.now, query };
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT t.id FROM ${rowsOf(listCodes, input)} ORDER BY t.id LIMIT ${MAX_CODES + 1}`,
    input,
  );
  return rows.map(({ id }) => id);
}

async function switchThose(work: Work, query: Readonly<Record<string, unknown>>, status: string): Promise<number> {
  const found = await findIds(work, query);
  const named = query.group === undefined ? 'query' : 'group';
  if (found.length === 0) throw invalid(named, 'No discount code was found.');
  if (found.length > MAX_CODES)
    throw invalid(named, `More than ${MAX_CODES} discount codes match. Narrow them down with \`query\`.`);
  const rows = (await lockRows<Row>(work, 'discount_code', found)).filter((row) => row.status !== status);
  const ids = rows.map((row) => row.id);
  await work.tx.run(
    sql`UPDATE discount_code SET status = ${status}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  for (const row of rows) {
    work.touch('discount_code', row.id, row);
    work.record(discountCodeFeed.updated, row.id, { discount_code: row.id, changed: ['status'] });
  }
  return found[0];
}
