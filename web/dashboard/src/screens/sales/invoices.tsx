/** Invoices and credit notes, with what is due and what was paid. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AskedOf } from 'rollcall-sdk';
import { amountOf, calendarDayOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter, DayFilter } from '../../ui/filters.tsx';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { FAILED, FailedActions, FailedChosen, hasFailed } from './failed.tsx';
import { InvoiceStatus } from '../../money/status.tsx';
import { Listed } from '../../ui/listed.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

/** The filters that one word stands for. */
const STATES = {
  unpaid: ['open', 'pending_offline', ...FAILED],
  failed: FAILED,
  pending: ['pending'],
  paid: ['paid'],
  voided: ['voided'],
} as const;

type State = keyof typeof STATES;

const KINDS = ['invoices', 'credit_notes'] as const;
const SORTS = { newest: '-id', due: 'due_date' } as const;
const FILTERS = ['status', 'kind', 'payer', 'from', 'to'];

type Query = NonNullable<AskedOf<'GET /invoices', never, never>['query']>;

function queryOf({ status, kind, payer, from, to, sort }: Readonly<Record<string, string | undefined>>): Query {
  const state = Object.hasOwn(STATES, status ?? '') ? STATES[status as State] : undefined;
  return {
    ...(state && { status: [...state] }),
    ...(kind && { is_credit_note: kind === 'credit_notes' }),
    ...(Number(payer) > 0 && { payer: [Number(payer)] }),
    ...(from && { due_date_gte: from }),
    ...(to && { due_date_lte: to }),
    sort: [sort === 'due' ? SORTS.due : SORTS.newest],
  };
}

export function Invoices() {
  const business = useBusiness();
  const [address] = useAddress();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const list = usePages(
    'GET /invoices',
    {
      query: { ...queryOf(address), page_size: 50 },
      fields: [
        'id',
        'number',
        'status',
        'due_date',
        'is_credit_note',
        'total_amount_due',
        'outstanding_amount',
        'payer.id',
        'payer.name',
      ],
    },
    { keep: true },
  );
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="status"
          label={words.say('filter.status')}
          any={words.say('any')}
          choices={(Object.keys(STATES) as State[]).map((one) => [one, words.say(`state.${one}`)])}
        />
        <ChoiceFilter
          name="kind"
          label={words.say('filter.kind')}
          any={words.say('any')}
          choices={KINDS.map((one) => [one, words.say(`kind.${one}`)])}
        />
        <CustomerFilter name="payer" label={words.say('filter.payer')} />
        <DayFilter name="from" label={words.say('filter.due_from')} />
        <DayFilter name="to" label={words.say('filter.due_to')} />
        <ChoiceFilter
          name="sort"
          label={words.say('sort')}
          choices={[
            ['newest', words.say('sort.newest')],
            ['due', words.say('sort.due')],
          ]}
        />
        <ClearFilters names={FILTERS} />
      </div>
      <p role="status" className="soft small">
        {list.data && !list.isPlaceholderData ? words.say('count.invoices', { n: list.data.pages[0].count }) : null}
      </p>
      <Listed list={list} none={words.say('invoices.none')} next={[]}>
        {(all) => (
          <>
            {address.status === 'failed' ? (
              <FailedChosen all={all.filter(hasFailed)} chosen={chosen} onChosen={setChosen} />
            ) : null}
            <ul className="rows" aria-label={words.say('tab.invoices')}>
              {all.map((invoice) => {
                const { id, number, status, due_date, is_credit_note, total_amount_due, outstanding_amount, payer } =
                  invoice;
                return (
                  <li key={id}>
                    {address.status === 'failed' ? (
                      <input
                        type="checkbox"
                        aria-label={words.say('fail.choose', {
                          what: [payer?.name, number].filter(Boolean).join(', '),
                        })}
                        checked={chosen.has(id)}
                        onChange={({ target }) =>
                          setChosen(new Set(target.checked ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
                        }
                      />
                    ) : null}
                    <Link to={`/${business.id}/sales/${id}` as string}>{number}</Link>
                    {payer ? <CustomerLink id={payer.id} name={payer.name} /> : null}
                    {is_credit_note ? (
                      <span className="tag">{words.say('credit_note')}</span>
                    ) : (
                      <>
                        <InvoiceStatus status={status} />
                        <span className="soft small">{words.say('due', { day: calendarDayOf(due_date) })}</span>
                      </>
                    )}
                    <span className="end">
                      {total_amount_due ? amountOf(total_amount_due) : null}
                      {outstanding_amount && outstanding_amount.decimal > 0 && status !== 'voided' ? (
                        <span className="soft small">
                          {' '}
                          {words.say('left', { amount: amountOf(outstanding_amount) })}
                        </span>
                      ) : null}
                    </span>
                    {hasFailed(invoice) ? <FailedActions invoice={invoice} /> : null}
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </Listed>
    </>
  );
}
