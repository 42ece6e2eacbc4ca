/** The variants of a product, and the stock of each. */
import { useState } from 'react';
import { AdjustStock, StockHistory } from './stock.tsx';
import { amountOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { EditVariant } from './variant-form.tsx';
import { words } from './words.ts';
import type { ProductRead } from './read.ts';

/** Higher than the number that any product has. */
const MAX_ROWS = 100;

const FIELDS = [
  'id',
  'name',
  'sku',
  'barcode',
  'price',
  'price_override',
  'for_sale',
  'attribute_values',
  'images.id',
  'images.url',
  'track_stock',
  'stock',
  'held',
  'available',
  'low_stock_threshold',
  'is_low_stock',
] as const;

const useVariants = (product: number) =>
  useCall('GET /store/product_variants', {
    query: { store_product: [product], sort: ['id'], page_size: MAX_ROWS },
    fields: FIELDS,
  });

export type Variant = NonNullable<ReturnType<typeof useVariants>['data']>['results'][number];

type Doing = { readonly what: 'edit' | 'adjust' | 'history'; readonly variant: Variant };

const action = (text: Parameters<typeof words.say>[0], { name }: Variant, act: () => void) => (
  <button
    type="button"
    className="plain"
    aria-label={words.say('do.of', { what: words.say(text), name })}
    onClick={act}
  >
    {words.say(text)}
  </button>
);

export function Variants({ product }: { readonly product: ProductRead }) {
  const business = useBusiness();
  const propose = usePropose();
  const { data, error, refetch } = useVariants(product.id);
  const [doing, setDoing] = useState<Doing | null>(null);
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  const close = (): void => setDoing(null);
  const remove = ({ id, name }: Variant): void =>
    void propose({
      title: words.say('delete.of', { name }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name }),
      grave: true,
      call: () => clientOf(business.id).call('DELETE /store/product_variants/{id}', { params: { id } }),
    });
  return (
    <>
      <ul className="rows">
        {data.results.map((variant) => (
          <li key={variant.id}>
            {variant.images.slice(0, 1).map(({ id, url }) => (
              <img key={id} className="picture" src={url} alt="" />
            ))}
            <strong>{variant.name}</strong>
            <span className="soft small">{[variant.sku, variant.barcode].filter(Boolean).join(' · ')}</span>
            {variant.for_sale ? null : <span className="tag">{words.say('products.not_for_sale')}</span>}
            <span>{amountOf(variant.price)}</span>
            <span>{stockOf(variant)}</span>
            {variant.is_low_stock ? <span className="tag wrong">{words.say('stock.low')}</span> : null}
            <span className="end store-actions">
              {may(business, 'store') ? (
                <>
                  {variant.track_stock
                    ? action('stock.adjust', variant, () => setDoing({ what: 'adjust', variant }))
                    : null}
                  {action('edit', variant, () => setDoing({ what: 'edit', variant }))}
                  {data.results.length > 1 ? action('delete', variant, () => remove(variant)) : null}
                </>
              ) : null}
              {variant.track_stock
                ? action('stock.history', variant, () => setDoing({ what: 'history', variant }))
                : null}
            </span>
          </li>
        ))}
      </ul>
      {doing?.what === 'edit' ? (
        <EditVariant product={product} id={doing.variant.id} name={doing.variant.name} onClose={close} />
      ) : null}
      {doing?.what === 'adjust' ? <AdjustStock variant={doing.variant} onClose={close} /> : null}
      {doing?.what === 'history' ? <StockHistory variant={doing.variant} onClose={close} /> : null}
    </>
  );
}

function stockOf({ stock, held }: Variant): string {
  if (stock === null) return words.say('stock.untracked');
  return held ? words.say('stock.held', { n: stock, held }) : words.say('stock.n', { n: stock });
}
