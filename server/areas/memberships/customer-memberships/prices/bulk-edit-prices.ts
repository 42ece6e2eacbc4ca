import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { activeHold } from '../use/hold-facts.ts';
import { CANCELLATION_REASONS, customerMembership } from '../customer-membership.ts';
import { date, id, moneyText, number, object, oneOf, ref, refs, text } from '../../../../kernel/base/fields/kinds.ts';
import { and, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { editPrices, reportEdits } from './price-edit.ts';
import { Issues, invalid } from '../../../../kernel/base/problem.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { startBulkAction } from '../../../platform/bulk/index.ts';
import type { PriceChange } from './rules/price-edit.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Maximum number of memberships listed by id, and of holders of one membership. */
const NAMED = 10_000;
const HOLDERS = 100_000;

/** The new price, or the difference to the agreed one. */
export const newPrice = {
  billed_price: moneyText().optional(),
  change: object({
    percent: number({ min: -100, max: 1000 })
      .optional()
      .describe(
        'At most two decimals. The result is rounded to the smallest unit of the currency, with halves rounded away from zero.',
      ),
    amount: text({
      max: 18,
      pattern: /^-?\d{1,12}(\.\d{1,4})?$/,
      hint: 'Must be an amount, for example "-2.50".',
    }).optional(),
  })
    .optional()
    .describe('Difference to each holder’s agreed price. Replaces `billed_price`.'),
};

const body = {
  customermembership_ids: refs('customermembership', { min: 1, max: NAMED }).optional(),
  membership: ref('membership')
    .optional()
    .describe(
      'Everyone who holds this membership now. With `customer` and the other fields, only the one that you mean.',
    ),
  plan: ref('membership_payment_plan').optional().describe('With `membership`: only holders with this payment plan.'),
  customer: ref('customer').optional(),
  start_date: date().optional(),
  expiration_date: date().nullable().optional(),
  active_hold: id().nullable().optional(),
  cancellation_reason: oneOf(CANCELLATION_REASONS).nullable().optional(),
  ...newPrice,
};

export const bulkEditPrices = action({
  path: '/customer_memberships/bulk_edit_prices',
  summary: 'Change the prices of many memberships that customers hold',
  description:
    'Changes the memberships that you name, all that are held of one membership, or the one that a customer holds. Returns the first of them immediately. A job changes them, each with its own result; `price_edit` names the action. Billing periods that have already started keep the price that was billed.',
  who: staffWith('super_admin', 'customers'),
  body,
  returns: one(customerMembership),
  shows: ['price_edit'],
  run: async ({ work, body: asked, dryRun }) => {
    const change = changeOf(asked, work.tenant.currency);
    const ids = await meant(work, asked);
    if (dryRun) await reportEdits(work, ids, change);
    await startBulkAction(work, editPrices, ids, change);
    return ids[0];
  },
});

type Asked = Parameters<NonNullable<typeof bulkEditPrices.run>>[0]['body'];

export function changeOf({ billed_price: price, change }: Asked, currency: string): PriceChange {
  if ((price === undefined) === (change === undefined))
    throw invalid('billed_price', 'Send either billed_price, the new price, or change, the difference.');
  if (price !== undefined) return { price: minorOf('billed_price', price, currency) };
  const { percent, amount } = change;
  if ((percent === undefined) === (amount === undefined)) throw invalid('change', 'Send either percent or amount.');
  if (percent === undefined)
    return {
      amount: amount.startsWith('-')
        ? -minorOf('change.amount', amount.slice(1), currency)
        : minorOf('change.amount', amount, currency),
    };
  const hundredths = Math.round(percent * 100);
  if (hundredths / 100 !== percent)
    throw invalid('change.percent', 'Must have at most two decimals, for example 2.25.');
  return { percent: hundredths };
}

/** Returns the ids in the order in which they were listed, else sorted. */
export async function meant(work: Work, asked: Asked): Promise<number[]> {
  const { customermembership_ids: named, membership, plan, customer } = asked;
  const issues = new Issues();
  if ((named === undefined) === (membership === undefined))
    issues.add('customermembership_ids', 'Send either customermembership_ids or membership.');
  for (const name of ['plan', 'customer'] as const)
    if (asked[name] !== undefined && membership === undefined)
      issues.add(name, 'Only works together with membership. Send it too.');
  for (const name of ONLY_OF_ONE)
    if (asked[name] !== undefined && customer === undefined)
      issues.add(name, "Only narrows down a customer's membership. Send membership and customer too.");
  issues.throwIfAny();
  if (named !== undefined) return [...new Set<number>(named)];
  const wanted = [sql`cm.provider_id = ${work.providerId}`, sql`cm.membership_id = ${membership}`];
  if (plan !== undefined) wanted.push(sql`cm.payment_plan_id = ${plan}`);
  if (customer === undefined) wanted.push(raw("cm.status IN ('active', 'hold')"));
  else
    wanted.push(
      sql`cm.customer_id = ${customer}`,
      ...ONLY_OF_ONE.flatMap((name) => (asked[name] === undefined ? [] : [COLUMNS[name](asked[name])])),
    );
  const rows = await work.tx.rows<{ id: number; live: boolean }>(
    sql`SELECT cm.id, cm.status IN ('active', 'hold') AS live FROM customer_membership cm WHERE ${and(wanted)}
    ORDER BY live DESC, cm.id LIMIT ${HOLDERS + 1}`,
    { viewer: work.viewer, now: work.now, query: {} },
  );
  if (rows.length === 0)
    throw invalid(
      'membership',
      customer === undefined ? 'Nobody holds this membership now.' : 'The customer does not hold such a membership.',
    );
  if (rows.length > HOLDERS)
    throw invalid(
      'membership',
      `More than ${HOLDERS} customers hold it. Change the prices plan by plan, or send at most ${NAMED} customers at a time.`,
    );
  if (customer === undefined) return rows.map((row) => row.id);
  if (rows.length > 1 && rows[1].live === rows[0].live)
    throw invalid(
      'customer',
      'The customer holds it more than once. Name one with start_date or customermembership_ids.',
    );
  return [rows[0].id];
}

const COLUMNS = {
  active_hold: (value: unknown): Sql => sql`${activeHold('cm')} IS NOT DISTINCT FROM ${value}::bigint`,
  start_date: (value: unknown): Sql => sql`cm.start_date IS NOT DISTINCT FROM ${value}::date`,
  expiration_date: (value: unknown): Sql => sql`cm.expiration_date IS NOT DISTINCT FROM ${value}::date`,
  cancellation_reason: (value: unknown): Sql => sql`cm.cancellation_reason IS NOT DISTINCT FROM ${value}::text`,
};
const ONLY_OF_ONE = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
