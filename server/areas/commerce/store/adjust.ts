import { adjustStock, lockStock } from './stock.ts';
import { create } from '../../../kernel/api/endpoint.ts';
import { integer, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { MANUAL_REASONS, objectionTo } from './rules/adjustment.ts';
import { storeInventoryAdjustment } from './adjustment.ts';
import { STORE_PROBLEMS } from './problems.ts';
import { who } from './change-products.ts';

export const createAdjustment = create(storeInventoryAdjustment, {
  path: '/store/inventory_adjustments',
  summary: 'Create an inventory adjustment',
  description:
    'Records that there is more or less of a variant, and why. What open checkouts hold can’t be taken out of stock.',
  who,
  body: {
    store_product_variant: ref('store_product_variant'),
    quantity: integer({ min: -1_000_000, max: 1_000_000 }).describe(
      'Number of additional items. Less than 0 for damaged or lost ones; a correction can be either.',
    ),
    reason: oneOf(MANUAL_REASONS).describe('`correction`: the count was wrong.'),
    note: text({ max: 1000 }).nullable().optional(),
  },
  problems: [STORE_PROBLEMS.out_of_stock],
  run: async ({ work, body: { store_product_variant: variant, quantity, reason, note } }) => {
    const row = (await lockStock(work, [variant])).get(variant)!;
    const stock = { tracked: row.track_stock, count: row.stock_count, held: row.held_count };
    const objection = objectionTo(stock, reason, quantity);
    if (objection) throw invalid(objection.property, objection.message);
    const [id] = await adjustStock(work, [{ variant, quantity, reason, note }]);
    return id;
  },
});
