/** One product: its description, the attributes of its variants, and the stock of each. */
import '../../ui/pictures.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { AttributeForm } from './attribute-form.tsx';
import { clientOf } from '../../app/client.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { problemOf } from '../../app/calls.ts';
import { may, useBusiness } from '../../app/business.ts';
import { EditProduct } from './product-form.tsx';
import { useProduct, type Attribute } from './read.ts';
import { usePropose } from '../../changes/change.tsx';
import { NewVariant } from './variant-form.tsx';
import { Variants } from './variants.tsx';
import { words } from './words.ts';

export function Product({ id }: { readonly id: number }) {
  const business = useBusiness();
  const propose = usePropose();
  const navigate = useNavigate();
  const { data: product, error, refetch } = useProduct(id);
  const [doing, setDoing] = useState<'edit' | 'variant' | 'attribute' | Attribute | null>(null);
  const back = <Link to={`/${business.id}/store` as string}>{words.say('products.all')}</Link>;
  if (error && !product) {
    if (problemOf(error)?.code !== 'not_found') return <Failed error={error} again={() => void refetch()} />;
    return (
      <Empty title={words.say('product.not_here')}>
        <p>{back}</p>
      </Empty>
    );
  }
  if (!product) return <Loading />;
  const changes = may(business, 'store');
  const close = (): void => setDoing(null);
  const remove = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('delete.of', { name: product.name }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name: product.name }),
      grave: true,
      call: () => clientOf(business.id).call('DELETE /store/products/{id}', { params: { id } }),
    });
    if (outcome.made) void navigate({ to: `/${business.id}/store` as string, search: {} as never });
  };
  return (
    <>
      <p className="small">{back}</p>
      <h2>{product.name}</h2>
      <p className="store-facts">
        <span>{amountOf(product.price)}</span>
        {product.category ? <span className="tag">{product.category}</span> : null}
        {product.for_sale ? null : <span className="tag">{words.say('products.not_for_sale')}</span>}
        {product.visible_to_customers ? null : <span className="tag">{words.say('products.hidden')}</span>}
        <span className="soft">{product.delivery_methods.map((one) => words.say(`delivery.${one}`)).join(' · ')}</span>
      </p>
      {product.images.length > 0 ? (
        <p className="pictures">
          {product.images.map(({ id: image, url }) => (
            <img key={image} className="picture" src={url} alt="" />
          ))}
        </p>
      ) : null}
      {product.description ? <p className="store-said">{product.description}</p> : null}
      {changes ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => setDoing('edit')}>
            {words.say('edit')}
          </button>
          <button type="button" className="second" onClick={() => setDoing('attribute')}>
            {words.say('attribute.new')}
          </button>
          <button type="button" className="second" onClick={() => void remove()}>
            {words.say('delete')}
          </button>
        </div>
      ) : null}
      {product.attributes.length > 0 ? (
        <>
          <h3>{words.say('attributes')}</h3>
          <ul className="rows">
            {product.attributes.map((one) => (
              <li key={one.id}>
                <strong>{one.name}</strong>
                <span>{one.values.join(', ')}</span>
                {changes ? (
                  <button
                    type="button"
                    className="plain end"
                    aria-label={words.say('edit.of', { name: one.name })}
                    onClick={() => setDoing(one)}
                  >
                    {words.say('edit')}
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <div className="screen-top">
        <h3>{words.say('variants')}</h3>
        {changes ? (
          <button type="button" className="second" onClick={() => setDoing('variant')}>
            {words.say('variant.new')}
          </button>
        ) : null}
      </div>
      <Variants product={product} />
      {doing === 'edit' ? <EditProduct id={id} name={product.name} onClose={close} /> : null}
      {doing === 'variant' ? <NewVariant product={product} onClose={close} /> : null}
      {doing === 'attribute' ? <AttributeForm product={product} onClose={close} /> : null}
      {doing !== null && typeof doing === 'object' ? (
        <AttributeForm product={product} attribute={doing} onClose={close} />
      ) : null}
    </>
  );
}
