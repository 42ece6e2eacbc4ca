import { feedItemKind } from '../../../kernel/feed/feed-item.ts';
import { id, integer, listOf, oneOf, text } from '../../../kernel/api/kinds.ts';
import { REASONS } from './rules/adjustment.ts';

/** What is told when something of this kind is made, changed and deleted. */
function told<const Kind extends string>(kind: Kind, what: string, article = 'A') {
  const object = { object: kind };
  const of = { [kind]: id() } as Record<Kind, ReturnType<typeof id>>;
  return {
    created: feedItemKind(`${kind}.created`, {
      ...object,
      description: `${article} ${what} was created.`,
      payload: of,
    }),
    updated: feedItemKind(`${kind}.updated`, {
      ...object,
      description: `${article} ${what} was changed; \`changed\` names the properties.`,
      payload: { ...of, changed: listOf(text()) },
    }),
    deleted: feedItemKind(`${kind}.deleted`, {
      ...object,
      description: `${article} ${what} was deleted.`,
      payload: of,
    }),
  };
}

export const productFeed = told('store_product', 'product of the store');
export const attributeFeed = told('store_product_attribute', 'attribute of a product', 'An');
export const variantFeed = told('store_product_variant', 'variant of a product');

export const lowStock = feedItemKind('store_product_variant.low_stock', {
  object: 'store_product_variant',
  description: 'The stock of a variant fell to its threshold, or below.',
  payload: { store_product_variant: id(), store_product: id(), stock: integer({ min: 0 }) },
});

export const adjustmentCreated = feedItemKind('store_inventory_adjustment.created', {
  object: 'store_inventory_adjustment',
  description: 'The stock of a variant changed.',
  payload: {
    store_inventory_adjustment: id(),
    store_product_variant: id(),
    quantity: integer(),
    reason: oneOf(REASONS),
  },
});

export const PRODUCT_FEED = [
  ...[productFeed, attributeFeed, variantFeed].flatMap(({ created, updated, deleted }) => [created, updated, deleted]),
  lowStock,
  adjustmentCreated,
];
