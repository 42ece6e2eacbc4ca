/** What customers are buying, have bought, or left behind. */
import { Link } from '@tanstack/react-router';
import { amountOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../ui/filters.tsx';
import { clientOf } from '../../app/client.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const STATES = ['open', 'pending', 'completed', 'expired', 'cancelled'] as const;

export function Checkouts() {
  const business = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
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
      <Listed list={list} none={words.say('checkouts.none')}>
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
    </>
  );
}
