/**
 * The accounting screen: totals of a period, transactions, the journal as a file, account codes, and closed periods.
 */
import { useState } from 'react';
import { AccountCodes } from './account-codes.tsx';
import { amountOf, calendarDayOf, dateAt, momentOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { CloseBooks, Reopen } from './close.tsx';
import { ChoiceFilter, DayFilter } from '../../ui/filters.tsx';
import { keepAs } from '../../app/files.ts';
import { lastMonth } from '../../app/months.ts';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Transactions } from './transactions.tsx';
import { TrialBalance } from './trial-balance.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const LISTS = ['balance', 'transactions', 'codes'] as const;

export function Books() {
  const business = useBusiness();
  const [address] = useAddress();
  const [today] = useState(() => dateAt(Date.now(), business.timezone));
  const usual = lastMonth(today);
  const [from, to] = [address.from || usual.from, address.to || usual.to];
  const of = LISTS.find((one) => one === address.of) ?? 'balance';
  const [closing, setClosing] = useState(false);
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="of"
          label={words.say('filter.show')}
          choices={LISTS.map((one) => [one, words.say(`list.${one}`)])}
        />
        <DayFilter name="from" label={words.say('books.from')} usual={usual.from} />
        <DayFilter name="to" label={words.say('books.to')} usual={usual.to} />
        <button
          type="button"
          className="second"
          onClick={() =>
            void keepAs(
              clientOf(business.id).call('GET /ledger/journal', { query: { from, to } }),
              `journal-${from}-${to}.csv`,
            )
          }
        >
          {words.say('journal')}
        </button>
        <button type="button" onClick={() => setClosing(true)}>
          {words.say('close')}
        </button>
      </div>
      {of === 'balance' ? (
        <>
          <TrialBalance from={from} to={to} />
          <h3>{words.say('periods')}</h3>
          <p className="soft">{words.say('periods.about')}</p>
          <Periods />
        </>
      ) : null}
      {of === 'transactions' ? <Transactions from={from} to={to} /> : null}
      {of === 'codes' ? <AccountCodes from={from} to={to} /> : null}
      {closing ? <CloseBooks through={to} onClose={() => setClosing(false)} /> : null}
    </>
  );
}

function Periods() {
  const business = useBusiness();
  const [reopening, setReopening] = useState<{ readonly id: number; readonly end: string } | null>(null);
  const list = usePages('GET /accounting_periods', {
    query: { sort: ['-id'], page_size: 24 },
    fields: ['id', 'status', 'start_date', 'end_date', 'transactions', 'debits', 'closed_at', 'reopen_reason'],
  });
  return (
    <>
      <Listed list={list} none={words.say('periods.none')} next={[]}>
        {(all) => {
          const last = all.find(({ status }) => status === 'closed');
          return (
            <ul className="rows" aria-label={words.say('periods')}>
              {all.map((one) => (
                <li key={one.id}>
                  <span>
                    {calendarDayOf(one.start_date)} – {calendarDayOf(one.end_date)}
                  </span>
                  <span className={one.status === 'closed' ? 'tag good' : 'tag'}>
                    {words.say(`period.${one.status}`)}
                  </span>
                  <span className="soft small">
                    {words.say('period.of', {
                      n: one.transactions,
                      moment: momentOf(one.closed_at, business.timezone),
                    })}
                  </span>
                  <span className="end">{amountOf(one.debits)}</span>
                  {one.id === last?.id && may(business, 'super_admin') ? (
                    <RowButton
                      text={words.say('reopen')}
                      about={calendarDayOf(one.end_date)}
                      onClick={() => setReopening({ id: one.id, end: one.end_date })}
                    />
                  ) : null}
                  {one.reopen_reason ? <p className="whole soft small">{one.reopen_reason}</p> : null}
                </li>
              ))}
            </ul>
          );
        }}
      </Listed>
      {reopening ? <Reopen period={reopening} onClose={() => setReopening(null)} /> : null}
    </>
  );
}
