import { id, instant, integer, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { REASONS } from './rules/adjustment.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const storeInventoryAdjustment = resource('store_inventory_adjustment', {
  description:
    'Why there is more or less of a variant. Adjustments are never changed or deleted; the stock is the sum of them.',
  fields: {
    id: id(),
    store_product_variant: ref('store_product_variant'),
    quantity: integer({ min: -1_000_000, max: 1_000_000 }).describe('Less than 0 if something was taken out of stock.'),
    reason: oneOf(REASONS).describe('`sold`, `cancelled` and most `returned` are recorded by orders.'),
    note: text({ max: 1000 }).nullable(),
    staff: ref('staff')
      .nullable()
      .describe('Staff member who recorded it. Null if a customer bought it, or a program did.'),
    created_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'store', 'pos'), customer: false, unregistered: false },
});
