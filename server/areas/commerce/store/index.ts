import { changeAttributes } from './change-attributes.ts';
import { changeProducts, orderProducts } from './change-products.ts';
import { changeVariants } from './change-variants.ts';
import { createAdjustment } from './adjust.ts';
import { findProducts } from './find-products.ts';
import { LOW_STOCK_NOTICE, lowStockReader } from './tell-low-stock.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import { PRODUCT_FEED } from './feed.ts';
import { settingsEndpoints } from './settings.ts';
import { storeInventoryAdjustment } from './adjustment.ts';
import { storeProduct, storeProductAttribute, storeProductVariant } from './product.ts';
import { STORE_PROBLEMS } from './problems.ts';
import { sweepHolds } from './stock.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { createProduct, type NewProduct } from './change-products.ts';
export { createVariant, type NewVariant } from './change-variants.ts';
export {
  adjustStock,
  extendStock,
  holdStock,
  lockStock,
  releaseStock,
  takeStock,
  type Change,
  type HeldBy,
  type HoldFor,
} from './stock.ts';
export { storeProduct, storeProductVariant } from './product.ts';
export { STORE_PROBLEMS } from './problems.ts';

const taken = (field: string, message: string) => () =>
  new Problem('already_exists', `${field}: ${message}`, { [field]: [message] });

const outOfStock = () =>
  new Problem(STORE_PROBLEMS.out_of_stock, {
    staff: 'Not that many are in stock, without what open checkouts hold.',
    customer: 'Not that many are left.',
  });

export const store: Area = {
  name: 'store',
  description: 'What a business sells besides events and memberships: products, their variants, and the stock of them.',
  tables: [
    'stock_hold',
    'store_inventory_adjustment',
    'store_product',
    'store_product_attribute',
    'store_product_attribute_value',
    'store_product_variant',
    'store_product_variant_value',
    'store_settings',
  ],
  resources: [storeProduct, storeProductAttribute, storeProductVariant, storeInventoryAdjustment],
  endpoints: [
    ...findProducts,
    ...changeProducts,
    orderProducts,
    ...changeAttributes,
    ...changeVariants,
    createAdjustment,
    ...settingsEndpoints,
  ],
  problems: STORE_PROBLEMS,
  feed: PRODUCT_FEED,
  readers: [lowStockReader],
  staffNotices: [LOW_STOCK_NOTICE],
  sweep: sweepHolds,
  constraints: {
    store_product_attribute_name: taken('name', 'The product already has an attribute of this name.'),
    store_product_variant_combination: taken(
      'attribute_values',
      'The product already has a variant with these values. Send others, or update that one.',
    ),
    store_product_variant_sku: taken('sku', 'Another variant has this SKU.'),
    store_product_variant_barcode: taken('barcode', 'Another variant has this barcode.'),
    store_stock: outOfStock,
    store_stock_count: outOfStock,
  },
};
