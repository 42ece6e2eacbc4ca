/** Past sales at the desk, newest first. */
import '../../ui/lists.css';
import { Link } from '@tanstack/react-router';
import type { Money } from 'rollcall-sdk';
import { amountOf, momentOf } from '../../words/times.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { Listed } from '../../ui/listed.tsx';
import { nameOf } from '../../app/customers.ts';
import { SaleShown } from './sale.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

interface Line {
  readonly description: string;
  readonly quantity: number;
}

const MAX_NAMED = 3;

/** Returns for example `2 × Water, Mat rental`. */
function soldIn(lines: readonly Line[]): string {
  const named = lines
    .slice(0, MAX_NAMED)
    .map(({ description, quantity }) => (quantity > 1 ? `${quantity} × ${description}` : description));
  const more = lines.length - named.length;
  return [...named, ...(more > 0 ? [words.say('sales.more', { n: more })] : [])].join(', ');
}

type Sums = readonly { readonly total_amount: Money; readonly refunded_amount: Money }[];

/** Returns what was sold and not refunded. */
const sumOf = (all: Sums): Pick<Money, 'decimal' | 'iso_currency_code'> => ({
  decimal: all.reduce(
    (sum, { total_amount, refunded_amount }) => sum + total_amount.decimal - refunded_amount.decimal,
    0,
  ),
  iso_currency_code: all[0].total_amount.iso_currency_code,
});

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
      'customer.id',
      'customer.first_name',
      'customer.last_name',
      'staff.first_name',
      'staff.last_name',
      'total_amount',
      'refunded_amount',
      'payments.payment_processor.name',
      'invoice.line_items.description',
      'invoice.line_items.quantity',
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
      <Listed list={list} none={words.say('sales.none')} next={[]}>
        {(all) => (
          <div className="wide-table">
            <table className="sales-table" aria-label={words.say('tab.sales')}>
              <thead>
                <tr>
                  <th scope="col">{words.say('sales.when')}</th>
                  <th scope="col">{words.say('sales.what')}</th>
                  <th scope="col">{words.say('sales.whom')}</th>
                  <th scope="col">{words.say('sales.how')}</th>
                  <th scope="col" className="amount">
                    {words.say('sales.amount')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((one) => (
                  <tr key={one.id}>
                    <th scope="row">
                      <Link
                        to={`/${business}/counter` as string}
                        search={{ ...address, sale: String(one.id) } as never}
                        resetScroll={false}
                        activeProps={{}}
                      >
                        {momentOf(one.created_at, timezone)}
                      </Link>
                    </th>
                    <td>{soldIn(one.invoice?.line_items ?? [])}</td>
                    <td>
                      {one.customer ? (
                        <CustomerLink id={one.customer.id} name={nameOf(one.customer)} />
                      ) : (
                        words.say('walk_in')
                      )}
                    </td>
                    <td className="soft small">
                      {[
                        ...one.payments.map(({ payment_processor }) => payment_processor?.name),
                        one.staff && nameOf(one.staff),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </td>
                    <td className="amount">
                      {amountOf(one.total_amount)}
                      {one.refunded_amount.decimal > 0 ? (
                        <>
                          <br />
                          <span className="tag">
                            {words.say('sale.refunded', { amount: amountOf(one.refunded_amount) })}
                          </span>
                        </>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row" colSpan={4}>
                    {words.say('sales.sum', { n: all.length })}
                  </th>
                  <td className="amount">{amountOf(sumOf(all))}</td>
                </tr>
              </tfoot>
            </table>
          </div>
        )}
      </Listed>
      {sale ? <SaleShown key={sale} id={Number(sale)} onClose={() => change({ sale: undefined })} /> : null}
    </>
  );
}
