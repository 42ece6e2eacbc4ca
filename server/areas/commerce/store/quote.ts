/** The price of a variant and whether it can be sold: for orders, checkouts, the counter and the booking site. */
import { DELIVERY_METHODS, price, variantName } from './product.ts';
import { obstacleTo, type SaleFacts } from './rules/sale.ts';
import { outOfStock, STORE_PROBLEMS } from './problems.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import { one, say } from '../../../kernel/base/values/words.ts';

export interface VariantQuote {
  /** ids */
  readonly variant: number;
  readonly product: number;
  /** `T-shirt (Red, L)` */
  readonly name: string;
  /** minor units, before fees and taxes */
  readonly price: number;
  readonly deliveryMethods: readonly (typeof DELIVERY_METHODS)[number][];
  readonly facts: SaleFacts;
}

interface Row {
  readonly id: number;
  readonly store_product_id: number;
  readonly name: string;
  readonly price: number;
  readonly delivery_methods: VariantQuote['deliveryMethods'];
  readonly store_open: boolean;
  readonly product_for_sale: boolean;
  readonly visible: boolean;
  readonly for_sale: boolean;
  readonly available: number | null;
}

/** Returns quotes by variant id, in one statement, without variants that don't exist. */
export async function quoteVariants(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  variants: readonly number[],
): Promise<Map<number, VariantQuote>> {
  const rows = await tx.rows<Row>(sql`
    SELECT v.id, v.store_product_id, ${variantName('v')} AS name, ${price('v')} AS price, p.delivery_methods,
      coalesce((SELECT s.is_open FROM store_settings s WHERE s.provider_id = v.provider_id), true) AS store_open,
      p.for_sale AS product_for_sale, p.visible_to_customers AS visible, v.for_sale,
      CASE WHEN v.track_stock THEN v.stock_count - v.held_count END AS available
    FROM store_product_variant v JOIN store_product p ON p.provider_id = v.provider_id AND p.id = v.store_product_id
    WHERE v.provider_id = ${providerId} AND v.id = ANY(${[...new Set(variants)]}::bigint[])`);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        variant: row.id,
        product: row.store_product_id,
        name: row.name,
        price: row.price,
        deliveryMethods: row.delivery_methods,
        facts: {
          storeOpen: row.store_open,
          productForSale: row.product_for_sale,
          visible: row.visible,
          variantForSale: row.for_sale,
          available: row.available,
        },
      },
    ]),
  );
}

export const quoteVariant = async (work: Work, variant: number): Promise<VariantQuote | undefined> =>
  (await quoteVariants(work, [variant])).get(variant);

/**
 * Refuses a variant that can't be sold. `alreadyHeld`: the purchase's own reservation, which isn't counted against it.
 */
export function checkSale(
  work: Pick<Work, 'viewer'>,
  { name, facts }: VariantQuote,
  { quantity, alreadyHeld = 0 }: { readonly quantity: number; readonly alreadyHeld?: number },
): void {
  const available = facts.available === null ? null : facts.available + alreadyHeld;
  const obstacle = obstacleTo({ ...facts, available }, quantity, work.viewer.mode === 'provider');
  if (obstacle === 'store_closed')
    throw new Problem(STORE_PROBLEMS.store_closed, {
      staff: 'The store is closed for customers. Open it with is_open of its settings, or sell as staff.',
      customer: say`The ${one.store} is closed right now.`,
    });
  if (obstacle === 'not_for_sale')
    throw new Problem(STORE_PROBLEMS.not_for_sale, {
      staff: `“${name}” is not for sale. Set for_sale of the product and of the variant.`,
      customer: say`“${name}” is not available.`,
    });
  if (obstacle === 'out_of_stock') throw outOfStock(name, available);
}
