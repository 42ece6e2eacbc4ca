/** A product for its screen. */
import type { ItemOf } from 'rollcall-sdk';
import { useCall } from '../../app/calls.ts';

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

export const useProduct = (id: number) =>
  useCall('GET /store/products/{id}', { params: { id }, fields: PRODUCT_FIELDS });
