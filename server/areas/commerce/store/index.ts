import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { changeAttributes } from './change-attributes.ts';
import { changeOrders } from './change-orders.ts';
import { changeProducts, orderProducts } from './change-products.ts';
import { changeVariants } from './change-variants.ts';
import { createAdjustment } from './adjust.ts';
import { filter } from '../../../kernel/api/endpoint.ts';
import { findOrders } from './find-orders.ts';
import { findProducts } from './find-products.ts';
import { imageUses, usedIn } from '../../platform/images/index.ts';
import { LOW_STOCK_NOTICE, lowStockReader } from './notify-low-stock.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { ORDER_FEED, PRODUCT_FEED } from './feed.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { settingsEndpoints } from './settings.ts';
import { storeOrder, storeOrderItem } from './order.ts';
import { storeInventoryAdjustment } from './adjustment.ts';
import { storeProduct, storeProductAttribute, storeProductVariant } from './product.ts';
import { soldGoods } from '../../money/invoices/index.ts';
import { STORE_PROBLEMS } from './problems.ts';
import { storeGoods } from './restock.ts';
import { sweepHolds } from './stock.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { checkSale, quoteVariants, type VariantQuote } from './quote.ts';
export { createProduct } from './change-products.ts';
export { createVariant } from './change-variants.ts';
export { adjustStock, extendStock, holdStock, lockStock, releaseStock } from './stock.ts';
export { ORDER_VALUES } from './change-orders.ts';
export { cancelOpenOrder, changeOrder, createOrder, currentOrder } from './orders.ts';
export {
  checkChangeable,
  lockCustomerOrders,
  lockOrder,
  lockOrdersOf,
  orderItems,
  type OrderRow,
} from './order-rows.ts';
export { customerOf, noOrder, whoOrders } from './find-orders.ts';
export { endWhenUnlocked, lockForPaying, sell, settleOrders, unlock } from './selling.ts';
export { noteDelivery, quoteDelivery, type DeliveryQuote } from './delivery.ts';
export { handOverSold } from './hand-over.ts';
export { lockedNow, lockedOtherwise, STORE_PROBLEMS, wrongStatus } from './problems.ts';
export { storeOrder } from './order.ts';
export { takeBack } from './take-back.ts';

const taken = (field: string, message: string) => () =>
  new Problem('already_exists', `${field}: ${message}`, { [field]: [message] });

const outOfStock = () =>
  new Problem(STORE_PROBLEMS.out_of_stock, {
    staff: 'The stock is too low: open checkouts may hold some of it. Send a lower quantity.',
    customer: 'Not that many are left.',
  });

export const store: Area = {
  name: 'store',
  description:
    'Goods that a business sells besides events and memberships: products, their variants, and the stock of them.',
  tables: TABLES,
  translations: readTranslations('store/refusals'),
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
  topics: [
    {
      name: 'store_orders',
      description: 'Orders of customers in the store, until they have been handed over or returned.',
      resources: [storeOrder, storeOrderItem],
      endpoints: [...findOrders, ...changeOrders],
    },
  ],
  problems: STORE_PROBLEMS,
  feed: [...PRODUCT_FEED, ...ORDER_FEED],
  fills: [
    soldGoods.with(storeGoods),
    imageUses.with(
      usedIn('store_product_image', 'store_product', 'Pictures of a product.'),
      usedIn('store_product_variant_image', 'store_product_variant', 'Pictures of a variant.'),
    ),
  ],
  filters: {
    '/invoices': {
      store_order: filter(
        id().describe('The invoice of this order of the store, and its credit notes.'),
        (
          t,
          order,
        ) => sql`EXISTS (SELECT FROM store_order o WHERE o.provider_id = ${raw(t)}.provider_id AND o.id = ${order}
          AND o.invoice_id IN (${raw(t)}.id, ${raw(t)}.credits_invoice_id))`,
      ),
    },
  },
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
    store_order_item_returned: () =>
      new Problem('conflict', 'Only items that have not been returned yet can be returned. Get the order again.'),
    store_stock: outOfStock,
    store_stock_count: outOfStock,
  },
};
