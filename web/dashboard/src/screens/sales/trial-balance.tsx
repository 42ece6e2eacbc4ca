/** The trial balance of a period: the totals that must match, and the amounts for tax returns. */
import type { ReactNode } from 'react';
import { detailOf } from './accounts.ts';
import { amountOf } from '../../words/times.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Kept } from '../../ui/kept.tsx';
import { None } from '../../ui/listed.tsx';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

export function TrialBalance({ from, to }: { readonly from: string; readonly to: string }) {
  const found = useCall('GET /ledger/trial_balance', { query: { from, to } }, { keep: true });
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { accounts, totals, tax, liabilities, transactions, is_closed } = found.data;
  return (
    <Kept read={found}>
      <p role="status">
        <span className={is_closed ? 'tag good' : 'tag'}>{words.say(is_closed ? 'period.closed' : 'books.open')}</span>{' '}
        {words.say('books.transactions', { n: transactions })}
      </p>
      {accounts.length === 0 ? (
        found.isPlaceholderData ? null : (
          <None text={words.say('books.none')} />
        )
      ) : (
        <Amounts
          title={words.say('balance')}
          columns={[words.say('account'), 'opening', 'debits', 'credits', 'closing'].map((one, n) =>
            n === 0 ? one : words.say(`sum.${one as 'opening'}`),
          )}
          rows={accounts.map((one) => [
            <>
              {words.say(`account.${one.account}`)}
              {one.detail === null ? null : (
                <span className="soft"> · {detailOf(one.account, one.detail, one.name)}</span>
              )}
              {one.code ? <span className="soft small"> {one.code}</span> : null}
            </>,
            ...[one.opening, one.debits, one.credits, one.closing].map(amountOf),
          ])}
          total={[words.say('total'), ...[totals.opening, totals.debits, totals.credits, totals.closing].map(amountOf)]}
        />
      )}
      {tax.length > 0 ? (
        <Amounts
          title={words.say('tax')}
          columns={[words.say('tax.name'), words.say('tax.base'), words.say('tax.amount')]}
          rows={tax.map(({ name, rate, base, amount }) => [
            [name, rate].filter(Boolean).join(' '),
            amountOf(base),
            amountOf(amount),
          ])}
        />
      ) : null}
      {accounts.length > 0 ? (
        <Amounts
          title={words.say('owed')}
          columns={[words.say('account'), words.say('sum.opening'), words.say('sum.change'), words.say('sum.closing')]}
          rows={liabilities.map(({ account, opening, change, closing }) => [
            words.say(`account.${account}`),
            amountOf(opening),
            amountOf(change),
            amountOf(closing),
          ])}
        />
      ) : null}
    </Kept>
  );
}

interface AmountsProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  readonly total?: readonly string[];
}

/** A table with names in the first column and amounts in the others. */
function Amounts({ title, columns, rows, total }: AmountsProps) {
  return (
    <div className="wide-table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {columns.map((one, n) => (
              <th key={one} scope="col" className={n === 0 ? undefined : 'amount'}>
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...amounts], n) => (
            <tr key={n}>
              <th scope="row">{name}</th>
              {amounts.map((one, i) => (
                <td key={i} className="amount">
                  {one}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              {total.map((one, n) =>
                n === 0 ? (
                  <th key={n} scope="row">
                    {one}
                  </th>
                ) : (
                  <td key={n} className="amount">
                    {one}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  );
}
