/** Recurring plans: failed payments, their dunning, and the actions of staff. */
import { lazy, Suspense, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { ItemOf } from 'rollcall-sdk';
import { amountOf, calendarDayOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../ui/filters.tsx';
import { clientOf } from '../../app/client.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { NextInvoices, PayWith } from './recurring-more.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const FIELDS = [
  'id',
  'retry_count',
  'next_retry_at',
  'suspends_at',
  'unpaid_invoice.id',
  'unpaid_invoice.number',
  'unpaid_invoice.outstanding_amount',
  'payment_method.id',
  'payment_method.customer',
  'payment_method.short_description',
  'customer_membership.id',
  'customer_membership.name',
  'customer_membership.status',
  'customer_membership.next_billing_date',
  'customer_membership.expiration_date',
  'customer_membership.unpaid_invoice',
  'customer_membership.customer.id',
  'customer_membership.customer.first_name',
  'customer_membership.customer.last_name',
] as const;

export type Plan = ItemOf<'GET /payment_subscriptions', (typeof FIELDS)[number]>;

/** Loaded with its texts when a hold is first requested. */
const Hold = lazy(async () => {
  const [{ Hold: Shown }, { words: ofMemberships }] = await Promise.all([
    import('../../memberships/hold.tsx'),
    import('../../memberships/words.ts'),
  ]);
  await ofMemberships.ready;
  return { default: Shown };
});

const WHICH = ['unpaid', 'paid', 'all'] as const;

export function Recurring() {
  const [address] = useAddress();
  const which = WHICH.find((one) => one === address.which) ?? 'unpaid';
  const list = usePages(
    'GET /payment_subscriptions',
    {
      query: {
        ...(which !== 'all' && { is_unpaid: which === 'unpaid' }),
        ...(Number(address.customer) > 0 && { customer: [Number(address.customer)] }),
        sort: ['-id'],
        page_size: 50,
      },
      fields: FIELDS,
    },
    { keep: true },
  );
  return (
    <>
      <Calendar />
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="which"
          label={words.say('filter.show')}
          choices={WHICH.map((one) => [one, words.say(`which.${one}`)])}
        />
        <CustomerFilter name="customer" label={words.say('filter.member')} />
        <ClearFilters names={['which', 'customer']} />
      </div>
      <Listed list={list} none={words.say(which === 'unpaid' ? 'recurring.fine' : 'recurring.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.recurring')}>
            {all.map((one) => (
              <Row key={one.id} plan={one} />
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

/** The business's rules for failed payments. */
function Calendar() {
  const { data } = useCall('GET /billing_settings', {});
  if (!data) return null;
  const { retry_days: days, grace_days: grace, after_last_retry: then } = data;
  return (
    <p className="soft">
      {[
        days.length > 0
          ? words.say('calendar.retry', {
              days: new Intl.ListFormat(document.documentElement.lang).format(days.map(String)),
            })
          : words.say('calendar.never'),
        grace === null ? words.say('calendar.no_grace') : words.say('calendar.grace', { n: grace }),
        words.say(`calendar.${then}`),
      ].join(' ')}
    </p>
  );
}

type Doing = 'method' | 'pause' | 'next';

function Row({ plan }: { readonly plan: Plan }) {
  const business = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { id, unpaid_invoice: unpaid, payment_method: method, customer_membership: owned } = plan;
  const close = (): void => setDoing(null);
  if (!owned) return null;
  const name = owned.customer ? nameOf(owned.customer) : '';
  const of = { name, what: owned.name };
  const retry = (): void =>
    void propose({
      title: words.say('retry.of', of),
      confirm: words.say('retry'),
      about: <p>{words.say('retry.about', { method: method?.short_description ?? words.say('method.none') })}</p>,
      done: words.say('retry.done'),
      call: () => clientOf(business.id).call('POST /payment_subscriptions/{id}/retry', { params: { id } }),
    });
  return (
    <li>
      {owned.customer ? <CustomerLink id={owned.customer.id} name={name} /> : null}
      <span>{owned.name}</span>
      {unpaid ? <span className="tag wrong">{words.say('unpaid')}</span> : null}
      {owned.unpaid_invoice === null ? null : <span className="tag wrong">{words.say('suspended')}</span>}
      {owned.status === 'hold' ? <span className="tag">{words.say('on_hold')}</span> : null}
      <span className="end soft small">{method?.short_description ?? words.say('method.none')}</span>
      <p className="whole soft small">
        <Standing plan={plan} />
      </p>
      <div className="whole row-actions">
        {unpaid ? <RowButton main text={words.say('retry')} about={`${name}, ${owned.name}`} onClick={retry} /> : null}
        <RowButton text={words.say('method')} about={`${name}, ${owned.name}`} onClick={() => setDoing('method')} />
        {may(business, 'customers') && owned.status === 'active' ? (
          <RowButton text={words.say('pause')} about={`${name}, ${owned.name}`} onClick={() => setDoing('pause')} />
        ) : null}
        <RowButton text={words.say('next')} about={`${name}, ${owned.name}`} onClick={() => setDoing('next')} />
      </div>
      {doing === 'method' ? <PayWith plan={plan} onClose={close} /> : null}
      {doing === 'next' ? <NextInvoices plan={plan} onClose={close} /> : null}
      <Suspense>{doing === 'pause' ? <Hold one={owned} onClose={close} /> : null}</Suspense>
    </li>
  );
}

/** Describes the state of the dunning of a plan. */
function Standing({ plan }: { readonly plan: Plan }) {
  const business = useBusiness();
  const { unpaid_invoice: unpaid, retry_count, next_retry_at, suspends_at, customer_membership: owned } = plan;
  const day = (moment: string): string => momentOf(moment, business.timezone);
  if (!unpaid)
    return owned?.next_billing_date
      ? words.say('standing.next', { day: calendarDayOf(owned.next_billing_date) })
      : words.say('standing.nothing');
  return (
    <>
      {may(business, 'pos', 'store') ? (
        <Link to={`/${business.id}/sales/${unpaid.id}` as string}>{unpaid.number}</Link>
      ) : (
        unpaid.number
      )}{' '}
      {[
        unpaid.outstanding_amount ? words.say('left', { amount: amountOf(unpaid.outstanding_amount) }) + '.' : '',
        words.say('standing.tried', { n: retry_count }),
        next_retry_at ? words.say('standing.retry', { day: day(next_retry_at) }) : words.say('standing.last'),
        suspends_at && owned?.unpaid_invoice === null ? words.say('standing.suspends', { day: day(suspends_at) }) : '',
      ]
        .filter(Boolean)
        .join(' ')}
    </>
  );
}
