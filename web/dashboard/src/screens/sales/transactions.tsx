/** The ledger transactions of a period, with their debits and credits. */
import { Link } from '@tanstack/react-router';
import type { ItemOf } from 'rollcall-sdk';
import { ACCOUNTS, detailOf } from './accounts.ts';
import { amountOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../ui/filters.tsx';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const FIELDS = [
  'id',
  'about',
  'explanation',
  'posted_at',
  'lines.id',
  'lines.account',
  'lines.detail',
  'lines.amount',
  'lines.customer.id',
  'lines.customer.first_name',
  'lines.customer.last_name',
] as const;

type Transaction = ItemOf<'GET /ledger_transactions', (typeof FIELDS)[number]>;

export function Transactions({ from, to }: { readonly from: string; readonly to: string }) {
  const { timezone } = useBusiness();
  const [address] = useAddress();
  const account = ACCOUNTS.find((one) => one === address.account);
  const customer = Number(address.customer);
  const list = usePages(
    'GET /ledger_transactions',
    {
      query: {
        posted_on_gte: from,
        posted_on_lte: to,
        ...(account && { account: [account] }),
        ...(customer > 0 && { customer: [customer] }),
        sort: ['-id'],
        page_size: 50,
      },
      fields: FIELDS,
    },
    { keep: true },
  );
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('list.transactions')}>
        <ChoiceFilter
          name="account"
          label={words.say('account')}
          any={words.say('any')}
          choices={ACCOUNTS.map((one) => [one, words.say(`account.${one}`)])}
        />
        <CustomerFilter name="customer" label={words.say('filter.payer')} />
        <ClearFilters names={['account', 'customer']} />
      </div>
      <Listed list={list} none={words.say('transactions.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('list.transactions')}>
            {all.map((one) => (
              <li key={one.id}>
                <span>{momentOf(one.posted_at, timezone)}</span>
                <Lines of={one} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

function Lines({ of: { about, explanation, lines } }: { readonly of: Transaction }) {
  const business = useBusiness();
  return (
    <details className="posting">
      <summary>{explanation}</summary>
      {about.object === 'invoice' && may(business, 'pos', 'store') ? (
        <p>
          <Link to={`/${business.id}/sales/${about.id}` as string}>{words.say('transaction.invoice')}</Link>
        </p>
      ) : null}
      <div className="wide-table" role="region" aria-label={explanation} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.say('account')}</th>
              <th scope="col">{words.say('filter.payer')}</th>
              <th scope="col" className="amount">
                {words.say('sum.debits')}
              </th>
              <th scope="col" className="amount">
                {words.say('sum.credits')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, account, detail, customer, amount }) => (
              <tr key={id}>
                <th scope="row">
                  {words.say(`account.${account}`)}
                  {detail === null ? null : <span className="soft"> · {detailOf(account, detail)}</span>}
                </th>
                <td>{customer ? <CustomerLink id={customer.id} name={nameOf(customer)} /> : null}</td>
                <td className="amount">{amount.decimal > 0 ? amountOf(amount) : null}</td>
                <td className="amount">
                  {amount.decimal < 0 ? amountOf({ ...amount, decimal: -amount.decimal }) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
