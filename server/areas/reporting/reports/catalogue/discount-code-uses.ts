/** Uses of discount codes: one row for each checkout that got a discount from a code. */
import { anyOf, COUNT, customerColumns, named, oneOfThese, within, yearAndMonth } from './common.ts';
import { below, column, report } from '../report.ts';
import type { Columns } from '../columns.ts';
import { id, instant, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { ZONE } from '../moment.ts';

const USE_TYPES = ['class', 'course', 'membership', 'store_order', 'unknown'] as const;

/** The first discounted item determines the purchase type. */
const ITEM = raw(`
    LEFT JOIN LATERAL (SELECT x.id, x.description,
      CASE WHEN x.item_type LIKE 'MEM%' OR x.item_type = 'JOINING_FEE' THEN 'membership'
    WHEN x.item_type LIKE 'CRS%' THEN 'course' WHEN x.item_type = 'STR_PRO' THEN 'store_order'
    WHEN x.item_type LIKE 'CLASS%' OR x.item_type LIKE 'APPT%' OR x.item_type LIKE 'ROOM%' THEN 'class'
    ELSE 'unknown' END AS type
  FROM checkout_item x WHERE x.provider_id = u.provider_id AND x.checkout_id = u.checkout_id
    AND coalesce((x.price->>'discount')::bigint, 0) > 0 ORDER BY x.id LIMIT 1) i ON true`);

const TYPE = `coalesce(i.type, 'unknown')`;
const code: Columns = below('discount_code', {
  id: column(id(), 'd.id', 'ID of the discount code.'),
  name: column(text(), 'd.name', 'Name of the discount code.'),
  code: column(text(), 'd.code', 'The code itself.'),
});
const group = named('group', 'g', 'the group of discount codes');
const useType = column(oneOf(USE_TYPES), TYPE, 'Purchase that it was used for.');

export const discountCodeUsesReport = report('discount_code_uses', {
  title: 'uses of discount codes',
  description: 'Uses of discount codes, with the customer, the purchase and the discount.',
  who: ['discount_codes', 'revenue'],
  from: 'discount_code_use u',
  joins: {
    c: raw('JOIN customer c ON c.provider_id = u.provider_id AND c.id = u.customer_id'),
    d: raw('JOIN discount_code d ON d.provider_id = u.provider_id AND d.id = u.discount_code_id'),
    g: raw('LEFT JOIN discount_code_group g ON g.provider_id = d.provider_id AND g.id = d.group_id'),
    i: ITEM,
  },
  where: raw(`u.state = 'used'`),
  id: 'u.id',
  venue: null,
  columns: {
    ...customerColumns('c'),
    ...code,
    ...group,
    use_type: useType,
    'used_for.id': column(id(), 'u.checkout_id', 'ID of the checkout.'),
    'used_for.label': column(text(), 'i.description', 'First purchase with it.'),
    'used_for.type': useType,
    used_at: column(instant(), 'u.used_at', 'When it was used.'),
    amount: column(money(), 'u.amount_minor', 'Amount of the discount.'),
  },
  sort: '-used_at',
  customer: 'customer.id',
  filters: {
    customers: anyOf('u.customer_id'),
    discount_codes: anyOf('u.discount_code_id'),
    groups: anyOf('d.group_id'),
    use_types: oneOfThese(['class', 'course', 'membership', 'store_order'], TYPE),
    ...within('used_at', 'u.used_at'),
  },
  grouped: {
    by: {
      ...customerColumns('c'),
      ...code,
      ...group,
      use_type: useType,
      ...yearAndMonth(sql`(u.used_at AT TIME ZONE ${ZONE})`, 'the use', ['year', 'month']),
    },
    measures: { count: COUNT, amount: column(money(), 'sum(u.amount_minor)', 'Total of the discounts.') },
  },
});
