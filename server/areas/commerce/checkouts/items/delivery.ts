/** The delivery fee item of a checkout, which is kept in step with the items to deliver. */
import { deleteItems, insertItems } from './stored-items.ts';
import { NOTHING } from '../item-kinds/kind.ts';
import { quoteDelivery, type DeliveryQuote } from '../../store/index.ts';
import type { CheckoutRow, ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Quotes the delivery. Its keys are item ids. */
export const quoteOf = (work: Work, items: readonly ItemRow[]): Promise<DeliveryQuote> =>
  quoteDelivery(
    work,
    items
      .filter(({ item_type }) => item_type === 'STR_PRO')
      .map(({ id, store_product_variant_id: variant, quantity, store_order_item_id: orderItem, unit_price_minor }) => ({
        key: id,
        variant: variant!,
        quantity,
        orderItem,
        unitPrice: unit_price_minor,
      })),
  );

/** Returns the items with or without the delivery fee. If there is nothing to deliver, it makes no queries. */
export async function withDelivery(
  work: Work,
  checkout: CheckoutRow,
  items: readonly ItemRow[],
): Promise<readonly ItemRow[]> {
  const fee = items.find(({ item_type }) => item_type === 'DELIVERY_FEE');
  if (checkout.taken_along || items.every(({ item_type }) => item_type !== 'STR_PRO'))
    return without(work, checkout, items, fee);
  const quote = await quoteOf(work, items);
  if (quote.fee === null) return without(work, checkout, items, fee);
  if (fee) return items;
  const wanted = { ...NOTHING, item_type: 'DELIVERY_FEE', customer_id: checkout.customer_id } as const;
  return [...items, ...(await insertItems(work, checkout, [wanted], quote.delivered[0]))];
}

function without(
  work: Work,
  checkout: CheckoutRow,
  items: readonly ItemRow[],
  fee: ItemRow | undefined,
): readonly ItemRow[] {
  if (!fee) return items;
  deleteItems(work, checkout, [fee]);
  return items.filter((item) => item !== fee);
}
