/** The products of the store, in the order in which customers see them. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { NewProduct } from './product-form.tsx';
import { Reorder } from '../../changes/reorder.tsx';
import { useAddress } from '../../app/address.ts';
import { useCall } from '../../app/calls.ts';
import { useDeferred } from '../../app/deferred.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

/** The order of further products stays unchanged. */
const MAX_ROWS = 100;

export function Products() {
  const business = useBusiness();
  const navigate = useNavigate();
  const [address] = useAddress();
  const [text, setText] = useState('');
  const [creating, setCreating] = useState(false);
  const [ordering, setOrdering] = useState(false);
  const wanted = useDeferred(text.trim(), 250);
  const list = usePages(
    'GET /store/products',
    {
      query: {
        ...(wanted && { name_contains: wanted }),
        ...(address.for_sale && { for_sale: address.for_sale === 'true' }),
        sort: ['order', 'name'],
        page_size: 50,
      },
      fields: ['id', 'name', 'category', 'price', 'for_sale', 'visible_to_customers', 'in_stock'],
    },
    { keep: true },
  );
  const next: readonly NextStep[] = [
    { label: words.say('product.new'), needs: ['store'], act: () => setCreating(true) },
  ];
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('products.filter')}>
        <label>
          {words.say('products.name')}
          <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
        </label>
        <ChoiceFilter
          name="for_sale"
          label={words.say('products.sold')}
          any={words.say('products.any')}
          choices={[
            ['true', words.say('products.for_sale')],
            ['false', words.say('products.not_for_sale')],
          ]}
        />
        <NextSteps list={list} next={next} />
        {may(business, 'store') ? (
          <button type="button" className="second" onClick={() => setOrdering(true)}>
            {words.say('products.order')}
          </button>
        ) : null}
      </div>
      <Listed list={list} none={words.say(wanted || address.for_sale ? 'products.none' : 'products.first')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, name, category, price, for_sale, visible_to_customers, in_stock }) => (
              <li key={id}>
                <Link to={`/${business.id}/store` as string} search={{ tab: 'products', product: id } as never}>
                  {name}
                </Link>
                <span className="soft">{category}</span>
                {for_sale ? null : <span className="tag">{words.say('products.not_for_sale')}</span>}
                {visible_to_customers ? null : <span className="tag">{words.say('products.hidden')}</span>}
                {in_stock ? null : <span className="tag wrong">{words.say('products.sold_out')}</span>}
                <span className="end">{amountOf(price)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {ordering ? <Order onClose={() => setOrdering(false)} /> : null}
      {creating ? (
        <NewProduct
          onClose={() => setCreating(false)}
          onMade={(id) =>
            void navigate({
              to: `/${business.id}/store` as string,
              search: { tab: 'products', product: id } as never,
            })
          }
        />
      ) : null}
    </>
  );
}

/** Reorders all products, regardless of the filters of the list. */
function Order({ onClose }: { readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const { data } = useCall('GET /store/products', {
    query: { sort: ['order', 'name'], page_size: MAX_ROWS },
    fields: ['id', 'name'],
  });
  return data ? (
    <Reorder
      title={words.say('products.order')}
      all={data.results}
      done={words.say('products.ordered')}
      call={(ordering) => clientOf(business).call('PATCH /store/products/ordering', { body: { ordering } })}
      onClose={onClose}
    />
  ) : null;
}
