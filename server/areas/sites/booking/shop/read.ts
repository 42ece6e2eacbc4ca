/** Products of a business, as the interface shows them to the reader. */
import { here, type Picture } from '../../../../kernel/pages/picture.ts';
import { moneyOf, type Money } from '../../../../kernel/base/values/money.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import type { Ask, Entry } from '../../frame/index.ts';

export type Method = 'pickup' | 'delivery';

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
  /** before fees and taxes */
  readonly price: Money;
  readonly inStock: boolean;
  readonly pictures: readonly Picture[];
  readonly methods: readonly Method[];
}

export interface Variant {
  readonly id: number;
  /** for example `Red, L`; empty if there is only one variant */
  readonly name: string;
  readonly price: Money;
  readonly inStock: boolean;
  /** its own, without those of the product */
  readonly pictures: readonly Picture[];
}

const MAX_ROWS = 200;
const PRODUCT = 'id,name,description,category,price,in_stock,for_sale,images,delivery_methods';

const productOf = (one: Entry<'GET /store/products', typeof PRODUCT>): Product => ({
  id: one.id,
  name: one.name,
  description: one.description,
  category: one.category,
  price: moneyOf(one.price),
  inStock: one.in_stock,
  pictures: one.images.map(here),
  methods: one.delivery_methods,
});

export async function soldProducts(ask: Ask): Promise<readonly Product[]> {
  const { results } = await ask('GET /store/products', {
    query: { fields: PRODUCT, for_sale: true, page_size: MAX_ROWS },
  });
  return results.map(productOf);
}

export async function sellsProducts(ask: Ask): Promise<boolean> {
  const { results } = await ask('GET /store/products', { query: { fields: 'id', for_sale: true, page_size: 1 } });
  return results.length > 0;
}

/** @throws Problem 404 */
export async function soldProduct(
  ask: Ask,
  id: number,
): Promise<{ readonly product: Product; readonly variants: readonly Variant[] }> {
  const found = await ask('GET /store/products/{id}', { params: { id }, query: { fields: PRODUCT } });
  if (!found.for_sale) throw notFound();
  const { results } = await ask('GET /store/product_variants', {
    query: {
      store_product: String(id),
      for_sale: true,
      fields: 'id,price,attribute_values,in_stock,images',
      page_size: MAX_ROWS,
    },
  });
  return {
    product: productOf(found),
    variants: results.map((one): Variant => ({
      id: one.id,
      name: one.attribute_values.map(({ value }) => value).join(', '),
      price: moneyOf(one.price),
      inStock: one.in_stock,
      pictures: one.images.map(here),
    })),
  };
}
