/** The customers who currently have a membership, and their prices. */
import { useState } from 'react';
import { amountOf, calendarDayOf } from '../../../words/times.ts';
import { CustomerLink } from '../../../ui/customer-link.tsx';
import { Give } from '../../../memberships/give.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { nameOf } from '../../../app/customers.ts';
import { Prices, ScheduledPrices } from '../prices.tsx';
import { usePages } from '../../../app/pages.ts';
import { words } from '../words.ts';
import { words as ofMemberships } from '../../../memberships/words.ts';
import type { MembershipRead } from './read.ts';

export function Holders({ membership }: { readonly membership: MembershipRead }) {
  const [doing, setDoing] = useState<'give' | 'prices' | null>(null);
  const close = (): void => setDoing(null);
  const list = usePages('GET /customer_memberships', {
    query: { membership: [membership.id], status: ['active', 'hold'], sort: ['-id'], page_size: 25 },
    fields: [
      'id',
      'status',
      'expiration_date',
      'is_set_for_cancellation',
      'billed_price',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
    ],
  });
  return (
    <>
      <Listed list={list} none={words.say('holders.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('holders.title')}>
            {all.map(({ id, status, customer, billed_price, expiration_date, is_set_for_cancellation: ends }) => (
              <li key={id}>
                {customer ? <CustomerLink id={customer.id} name={nameOf(customer)} /> : null}
                {status === 'hold' ? <span className="tag">{words.say('on_hold')}</span> : null}
                {ends ? <span className="tag">{words.say('is_ending')}</span> : null}
                <span className="soft small">
                  {expiration_date ? words.say('term.until', { day: calendarDayOf(expiration_date) }) : null}
                </span>
                <span className="end amount">{billed_price ? amountOf(billed_price) : null}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <div className="actions">
        {membership.for_sale ? (
          <button type="button" className="second" onClick={() => setDoing('give')}>
            {ofMemberships.say('do.give')}
          </button>
        ) : null}
        {membership.active_member_count > 0 ? (
          <button type="button" className="second" onClick={() => setDoing('prices')}>
            {words.say('prices')}
          </button>
        ) : null}
      </div>
      {doing === 'give' ? <Give membership={membership.id} onClose={close} /> : null}
      <ScheduledPrices membership={membership} />
      {doing === 'prices' ? <Prices membership={membership} onClose={close} /> : null}
    </>
  );
}
