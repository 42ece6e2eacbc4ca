import { action, one, staffWith } from '../../kernel/api/endpoint.ts';
import { activeHold, CANCELLATION_REASONS, customerMembership } from '../entitlements/index.ts';
import { date, id, moneyText, number, object, oneOf, ref, refs, text } from '../../kernel/api/kinds.ts';
import { and, raw, sql, type Sql } from '../../kernel/db/sql.ts';
import { editPrices, tellEdits } from './price-edit.ts';
import { Issues, invalid } from '../../kernel/api/problem.ts';
import { minorOf } from '../../kernel/api/amount.ts';
import { startBulkAction } from '../bulk/index.ts';
import type { PriceChange } from './rules/price-edit.ts';
import type { Work } from '../../kernel/work.ts';

/** Named one by one, and of one membership. */
const NAMED = 10_000;
const HOLDERS = 100_000;

const body = {
  customermembership_ids: refs('customermembership', { min: 1, max: NAMED }).optional(),
  membership: ref('membership').optional().describe('All who hold it now; with `customer` and what else is sent, the one that is meant.'),
  plan: ref('membership_payment_plan').optional().describe('With `membership`: those of this payment plan alone.'),
  customer: ref('customer').optional(),
  start_date: date().optional(),
  expiration_date: date().nullable().optional(),
  active_hold: id().nullable().optional(),
  cancellation_reason: oneOf(CANCELLATION_REASONS).nullable().optional(),
  billed_price: moneyText().optional(),
  change: object({
    percent: number({ min: -100, max: 1000 }).optional().describe('Two decimals at most; halves of the smallest unit away from zero.'),
    amount: text({ max: 18, pattern: /^-?\d{1,12}(\.\d{1,4})?$/, hint: 'An amount is required, as "-2.50".' }).optional(),
  }).optional().describe('More or less of the price that each has agreed to, in place of `billed_price`.'),
};

export const bulkEditPrices = action({
  path: '/customer_memberships/bulk_edit_prices',
  summary: 'Change the prices of many memberships that customers hold',
  description:
    'Of those that are named, of all who hold a membership, or of the one that a customer holds. Answers the first of them at once; a job changes them, and each has its own result: `price_edit` names the action. Billing periods that have begun keep the price that they were billed at.',
  who: staffWith('super_admin', 'customers'),
  body,
  returns: one(customerMembership),
  shows: ['price_edit'],
  run: async ({ work, body: asked, dryRun }) => {
    const change = changeOf(asked, work.tenant.currency);
    const ids = await meant(work, asked);
    if (dryRun) await tellEdits(work, ids, change);
    await startBulkAction(work, editPrices, ids, change);
    return ids[0];
  },
});

type Asked = Parameters<NonNullable<typeof bulkEditPrices.run>>[0]['body'];

function changeOf({ billed_price: price, change }: Asked, currency: string): PriceChange {
  if ((price === undefined) === (change === undefined)) throw invalid('billed_price', 'Send either billed_price, the new price, or change: how much more or less.');
  if (price !== undefined) return { price: minorOf('billed_price', price, currency) };
  const { percent, amount } = change;
  if ((percent === undefined) === (amount === undefined)) throw invalid('change', 'Send either percent or amount.');
  if (percent === undefined) return { amount: amount.startsWith('-') ? -minorOf('change.amount', amount.slice(1), currency) : minorOf('change.amount', amount, currency) };
  const hundredths = Math.round(percent * 100);
  if (hundredths / 100 !== percent) throw invalid('change.percent', 'At most two decimals, as 2.25.');
  return { percent: hundredths };
}

/** The ids in the order in which they were named, else by id. */
async function meant(work: Work, asked: Asked): Promise<number[]> {
  const { customermembership_ids: named, membership, plan, customer } = asked;
  const issues = new Issues();
  if ((named === undefined) === (membership === undefined)) issues.add('customermembership_ids', 'Send either customermembership_ids, or membership.');
  for (const name of ['plan', 'customer'] as const) if (asked[name] !== undefined && membership === undefined) issues.add(name, 'Is for a membership: send membership too.');
  for (const name of ONLY_OF_ONE) if (asked[name] !== undefined && customer === undefined) issues.add(name, 'Says which one of a customer is meant: send membership and customer too.');
  issues.throwIfAny();
  if (named !== undefined) return [...new Set<number>(named)];
  const wanted = [sql`cm.provider_id = ${work.providerId}`, sql`cm.membership_id = ${membership}`];
  if (plan !== undefined) wanted.push(sql`cm.payment_plan_id = ${plan}`);
  if (customer === undefined) wanted.push(raw("cm.status IN ('active', 'hold')"));
  else wanted.push(sql`cm.customer_id = ${customer}`, ...ONLY_OF_ONE.flatMap((name) => (asked[name] === undefined ? [] : [COLUMNS[name](asked[name])])));
  const rows = await work.tx.rows<{ id: number; live: boolean }>(sql`SELECT cm.id, cm.status IN ('active', 'hold') AS live FROM customer_membership cm WHERE ${and(wanted)}
    ORDER BY live DESC, cm.id LIMIT ${HOLDERS + 1}`, { viewer: work.viewer, now: work.now, query: {} });
  if (rows.length === 0) throw invalid('membership', customer === undefined ? 'Nobody holds it now.' : 'The customer holds no such membership.');
  if (rows.length > HOLDERS) throw invalid('membership', `More than ${HOLDERS} hold it. Do it plan by plan, or name ${NAMED} at a time.`);
  if (customer === undefined) return rows.map((row) => row.id);
  if (rows.length > 1 && rows[1].live === rows[0].live) throw invalid('customer', 'Holds several of it. Say which by start_date, or by customermembership_ids.');
  return [rows[0].id];
}

const COLUMNS = {
  active_hold: (value: unknown): Sql => sql`${activeHold('cm')} IS NOT DISTINCT FROM ${value}::bigint`,
  start_date: (value: unknown): Sql => sql`cm.start_date IS NOT DISTINCT FROM ${value}::date`,
  expiration_date: (value: unknown): Sql => sql`cm.expiration_date IS NOT DISTINCT FROM ${value}::date`,
  cancellation_reason: (value: unknown): Sql => sql`cm.cancellation_reason IS NOT DISTINCT FROM ${value}::text`,
};
const ONLY_OF_ONE = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
