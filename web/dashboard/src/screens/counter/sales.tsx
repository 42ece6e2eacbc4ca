/** Past sales at the desk, newest first. */
import { Link } from '@tanstack/react-router';
import { amountOf, momentOf } from '../../words/times.ts';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { Listed } from '../../ui/listed.tsx';
import { nameOf } from '../../app/customers.ts';
import { SaleShown } from './sale.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

export function Sales() {
  const { id: business, timezone } = useBusiness();
  const [address, change] = useAddress();
  const { customer, cash_session: session, sale } = address;
  const list = usePages('GET /counter/sales', {
    query: {
      ...(customer && { customer: [Number(customer)] }),
      ...(session && { cash_session: [Number(session)] }),
      page_size: 30,
    },
    fields: [
      'id',
      'created_at',
      'customer.first_name',
      'customer.last_name',
      'staff.first_name',
      'staff.last_name',
      'total_amount',
      'refunded_amount',
      'payments.payment_processor.name',
    ],
  });
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('sales.filter')}>
        {customer || session ? (
          <button
            type="button"
            className="second"
            onClick={() => change({ customer: undefined, cash_session: undefined })}
          >
            {words.say('sales.all')}
          </button>
        ) : (
          <div className="field">
            <label htmlFor="counter-customer">{words.say('sales.customer')}</label>
            <FindCustomer
              id="counter-customer"
              label={words.say('sales.customer')}
              onChoose={({ id }) => change({ customer: String(id) })}
            />
          </div>
        )}
        {session ? <p>{words.say('sales.session')}</p> : null}
      </div>
      <Listed list={list} none={words.say('sales.none')}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => (
              <li key={one.id}>
                <Link
                  to={`/${business}/counter` as string}
                  search={{ ...address, sale: String(one.id) } as never}
                  resetScroll={false}
                  activeProps={{}}
                >
                  {momentOf(one.created_at, timezone)}
                </Link>
                <span>{one.customer ? nameOf(one.customer) : words.say('walk_in')}</span>
                <span className="soft small">
                  {[
                    ...one.payments.map(({ payment_processor }) => payment_processor?.name),
                    one.staff && nameOf(one.staff),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {one.refunded_amount.decimal > 0 ? (
                  <span className="tag">{words.say('sale.refunded', { amount: amountOf(one.refunded_amount) })}</span>
                ) : null}
                <span className="end">{amountOf(one.total_amount)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {sale ? <SaleShown key={sale} id={Number(sale)} onClose={() => change({ sale: undefined })} /> : null}
    </>
  );
}
