/** Store orders, with those that have to be handed over first. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { maySeeCustomers, nameOf } from '../../app/customers.ts';
import { NewOrder } from './cart.tsx';
import { OrderShown } from './order.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const STATUSES = ['paid', 'open', 'fulfilled', 'cancelled', 'returned'] as const;

export function Orders() {
  const business = useBusiness();
  const { timezone } = business;
  const [ordering, setOrdering] = useState(false);
  const [address, change] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const list = usePages('GET /store/orders', {
    query: { ...(status && { status: [status] }), page_size: 30 },
    fields: [
      'id',
      'status',
      'customer.first_name',
      'customer.last_name',
      'subtotal',
      'created_at',
      'items.name',
      'items.quantity',
    ],
  });
  const next: readonly NextStep[] = maySeeCustomers(business)
    ? [{ label: words.say('cart.new'), needs: ['store', 'pos'], act: () => setOrdering(true) }]
    : [];
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('orders.filter')}>
        <ChoiceFilter
          name="status"
          label={words.say('orders.status')}
          any={words.say('orders.any')}
          choices={STATUSES.map((one) => [one, words.say(`order.${one}`)])}
        />
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say(status ? 'orders.none' : 'orders.first')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => (
              <li key={one.id}>
                <Link
                  to={`/${business.id}/store` as string}
                  search={{ ...address, order: String(one.id) } as never}
                  resetScroll={false}
                  activeProps={{}}
                >
                  {words.say('order.of', { n: one.id })}
                </Link>
                <span>{one.customer ? nameOf(one.customer) : ''}</span>
                <span className={one.status === 'paid' ? 'tag good' : 'tag'}>{words.say(`order.${one.status}`)}</span>
                <span className="soft small">
                  {one.items.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name)).join(', ')}
                </span>
                <span className="end soft small">{momentOf(one.created_at, timezone)}</span>
                <span>{amountOf(one.subtotal)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {ordering ? (
        <NewOrder
          onClose={() => setOrdering(false)}
          onMade={(id) => {
            setOrdering(false);
            change({ order: String(id) });
          }}
        />
      ) : null}
      {address.order ? (
        <OrderShown key={address.order} id={Number(address.order)} onClose={() => change({ order: undefined })} />
      ) : null}
    </>
  );
}
