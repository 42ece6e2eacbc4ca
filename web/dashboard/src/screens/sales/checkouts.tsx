/** Checkouts: open, completed and abandoned. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Money } from 'rollcall-sdk';
import { amountOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../ui/filters.tsx';
import { clientOf } from '../../app/client.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const STATES = ['open', 'pending', 'completed', 'expired', 'cancelled'] as const;

export function Checkouts() {
  const business = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
  const [shown, setShown] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const status = STATES.find((one) => one === address.status);
  const list = usePages(
    'GET /checkouts',
    {
      query: {
        ...(status && { status: [status] }),
        ...(Number(address.customer) > 0 && { customer: [Number(address.customer)] }),
        sort: ['-id'],
        page_size: 50,
      },
      fields: [
        'id',
        'status',
        'created_at',
        'ended_at',
        'expires_at',
        'total_price',
        'amount_due',
        'payment_error',
        'checkout_items.id',
        'checkout_items.description',
        'customer.id',
        'customer.first_name',
        'customer.last_name',
        'invoice.id',
        'invoice.number',
      ],
    },
    { keep: true },
  );
  const cancel = (id: string, name: string): void =>
    void propose({
      title: words.say('checkout.cancel.of', { name }),
      confirm: words.say('checkout.cancel'),
      done: words.say('checkout.cancelled'),
      grave: true,
      call: () => clientOf(business.id).call('DELETE /checkouts/{id}', { params: { id: Number(id) } }),
    });
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="status"
          label={words.say('filter.status')}
          any={words.say('any')}
          choices={STATES.map((one) => [one, words.say(`checkout.status.${one}`)])}
        />
        <CustomerFilter name="customer" label={words.say('filter.payer')} />
        <ClearFilters names={['status', 'customer']} />
      </div>
      <Listed list={list} none={words.say('checkouts.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.checkouts')}>
            {all.map((one) => {
              const name = one.customer ? nameOf(one.customer) : '';
              const isOpen = one.status === 'open' || one.status === 'pending';
              return (
                <li key={one.id}>
                  <span>{momentOf(one.created_at, business.timezone)}</span>
                  {one.customer ? <CustomerLink id={one.customer.id} name={name} /> : null}
                  <span className="tag">{words.say(`checkout.status.${one.status}`)}</span>
                  {isOpen ? (
                    <span className="soft small">
                      {words.say('checkout.until', { moment: momentOf(one.expires_at, business.timezone) })}
                    </span>
                  ) : null}
                  {one.invoice && may(business, 'pos', 'store') ? (
                    <Link to={`/${business.id}/sales/${one.invoice.id}` as string}>{one.invoice.number}</Link>
                  ) : null}
                  <span className="end">{one.total_price ? amountOf(one.total_price) : null}</span>
                  {isOpen && one.checkout_items.length > 0 ? (
                    <RowButton
                      text={words.say('checkout.price')}
                      about={name}
                      onClick={() => setShown({ id: Number(one.id), name })}
                    />
                  ) : null}
                  {isOpen ? (
                    <RowButton text={words.say('checkout.cancel')} about={name} onClick={() => cancel(one.id, name)} />
                  ) : null}
                  <p className="whole soft small">
                    {one.checkout_items.map(({ description }) => description).join(' · ') ||
                      words.say('checkout.empty')}
                  </p>
                  {one.payment_error ? <p className="whole error">{one.payment_error}</p> : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {shown ? <Price {...shown} onClose={() => setShown(null)} /> : null}
    </>
  );
}

interface PriceProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** The breakdown of the price of a checkout. */
function Price({ id, name, onClose }: PriceProps) {
  const { data, error, refetch } = useCall('GET /checkouts/{id}/explain', { params: { id } });
  return (
    <Dialog title={words.say('checkout.price.of', { name })} onClose={onClose} side>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data?.items.map(({ checkout_item, description, total_price, amounts }) => (
        <section key={checkout_item}>
          <h3>{description}</h3>
          <Amounts all={amounts} />
          <p className="amount">
            <strong>{amountOf(total_price)}</strong>
          </p>
        </section>
      ))}
      {data?.discount_code ? <p>{data.discount_code.text}</p> : null}
      {data ? (
        <>
          <h3>{words.say('total')}</h3>
          <Amounts all={data.steps} />
        </>
      ) : null}
    </Dialog>
  );
}

function Amounts({
  all,
}: {
  readonly all: readonly { readonly name: string; readonly amount: Money; readonly text: string }[];
}) {
  return (
    <ul className="rows">
      {all.map(({ name, amount, text }, n) => (
        <li key={`${name} ${n}`}>
          <span>{text}</span>
          <span className="end">{amountOf(amount)}</span>
        </li>
      ))}
    </ul>
  );
}
