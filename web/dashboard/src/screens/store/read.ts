/** A product for its screen, with the version that was read, so that nobody overwrites another person's changes. */
import { useQuery } from '@tanstack/react-query';
import type { ItemOf } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { keyOf } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';

/** A change names the same fields, since the version is that of the fields that were read. */
export const PRODUCT_FIELDS = [
  'id',
  'name',
  'description',
  'category',
  'price',
  'order',
  'for_sale',
  'visible_to_customers',
  'delivery_methods',
  'images.id',
  'images.url',
  'attributes.id',
  'attributes.name',
  'attributes.values',
] as const;

export type ProductRead = ItemOf<'GET /store/products', (typeof PRODUCT_FIELDS)[number]>;
export type Attribute = ProductRead['attributes'][number];

export function useProduct(id: number) {
  const { id: business } = useBusiness();
  const asked = { params: { id }, fields: PRODUCT_FIELDS };
  return useQuery({
    queryKey: keyOf(business, 'GET /store/products/{id}', { ...asked, etag: true }),
    queryFn: async ({ signal }) => {
      const { value, etag } = await clientOf(business)
        .call('GET /store/products/{id}', { ...asked, signal })
        .answer();
      return { product: value, etag };
    },
  });
}
