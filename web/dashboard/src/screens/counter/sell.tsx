/** One sale: items, customer and payment. Enter moves from one to the next. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { added, EMPTY, soldOf, type Cart } from './cart.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Find } from './find.tsx';
import { Lines } from './lines.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { NewDesk } from './new-desk.tsx';
import { Pay } from './pay.tsx';
import { Sold } from './sold.tsx';
import { useAddress } from '../../app/address.ts';
import { useCard } from '../../person/read.ts';
import { useCart } from './use-cart.ts';
import { useDesks, useVenues } from './desks.ts';
import { useShortcuts } from '../../shell/keys.ts';
import { Whom } from './buyer.tsx';
import { words } from './words.ts';
import type { Sale } from './price.ts';

/** Chooses the customer whom the address names, for links from elsewhere. */
function Preselected({ id, onRead }: { readonly id: number; readonly onRead: (label: string) => void }) {
  const { data } = useCard(id);
  useEffect(() => {
    if (data) onRead(nameOf(data));
    // Only the name that was read counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data]);
  return null;
}

export function Sell() {
  const business = useBusiness();
  const { desks, error, refetch } = useDesks();
  const places = useVenues();
  const [cart, change] = useCart();
  const [sold, setSold] = useState<{ readonly sale: Sale; readonly cart: Cart } | null>(null);
  const [venue, setVenue] = useVenue(business.id);
  const [address, go] = useAddress();
  const wanted = Number(address.customer) || null;
  const finder = useRef<HTMLDivElement>(null);
  const payment = useRef<HTMLFormElement>(null);
  useShortcuts(useMemo(() => ({ '/': () => finder.current?.querySelector('input')?.focus() }), []));
  const failed = error ?? places.error;
  if (failed) return <Failed error={failed} again={() => void Promise.all([refetch(), places.refetch()])} />;
  const venues = places.data?.results;
  if (!desks || !venues) return <Loading />;
  if (desks.length === 0) return <NoDesk isAdmin={may(business, 'super_admin')} />;
  if (sold) return <Sold sale={sold.sale} cart={sold.cart} onNext={() => setSold(null)} />;
  const here = venues.find(({ id }) => id === venue) ?? (venues.length === 1 ? venues[0] : undefined);
  return (
    <div className="counter-sell">
      {wanted === null ? null : (
        <Preselected
          key={wanted}
          id={wanted}
          onRead={(label) => {
            change((now) => ({ ...now, customer: { id: wanted, label } }));
            go({ customer: undefined });
          }}
        />
      )}
      <section aria-labelledby="counter-what">
        <h2 id="counter-what" className="unseen">
          {words.say('what')}
        </h2>
        <Find
          place={finder}
          onAdd={(line) => change((now) => added(now, line))}
          onPay={() => {
            const form = payment.current;
            (
              form?.querySelector<HTMLElement>('[name=tendered]') ?? form?.querySelector<HTMLElement>('input:checked')
            )?.focus();
          }}
        />
        <Lines cart={cart} onChange={change} />
      </section>
      <section aria-labelledby="counter-pay" className="card">
        <h2 id="counter-pay">{words.say('pay')}</h2>
        <Whom cart={cart} onChange={change} />
        {venues.length > 1 ? (
          <div className="field">
            <label htmlFor="counter-venue">{words.say('venue')}</label>
            <select
              id="counter-venue"
              value={here?.id ?? ''}
              onChange={({ target }) => setVenue(Number(target.value) || null)}
            >
              <option value="">{words.say('venue.none')}</option>
              {venues.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        <Pay
          place={payment}
          cart={cart}
          desks={desks}
          sold={soldOf(cart, here?.id ?? null)}
          onChange={change}
          onSold={(sale) => {
            setSold({ sale, cart });
            change(() => EMPTY);
          }}
        />
      </section>
    </div>
  );
}

/** Returns the venue at which this device sells; null if none is set. */
function useVenue(business: number): readonly [number | null, (venue: number | null) => void] {
  const name = `rollcall.counter.${business}.venue`;
  const [venue, setVenue] = useState(() => Number(localStorage.getItem(name)) || null);
  return [
    venue,
    (next) => {
      if (next === null) localStorage.removeItem(name);
      else localStorage.setItem(name, String(next));
      setVenue(next);
    },
  ];
}

/** Nothing can be sold before there is a payment method. */
function NoDesk({ isAdmin }: { readonly isAdmin: boolean }) {
  const [adding, setAdding] = useState<'drawer' | 'other' | null>(null);
  return (
    <Empty title={words.say('no_desk')}>
      <p>{words.say(isAdmin ? 'no_desk.next' : 'no_desk.ask')}</p>
      {isAdmin ? (
        <p className="actions counter-middle">
          <button type="button" onClick={() => setAdding('drawer')}>
            {words.say('desk.drawer')}
          </button>
          <button type="button" className="second" onClick={() => setAdding('other')}>
            {words.say('desk.other')}
          </button>
        </p>
      ) : null}
      {adding ? <NewDesk kind={adding} onClose={() => setAdding(null)} /> : null}
    </Empty>
  );
}
