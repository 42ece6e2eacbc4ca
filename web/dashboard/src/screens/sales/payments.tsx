/** Payments and failed attempts, refunds, and disputes. */
import { useState } from 'react';
import { amountOf, calendarDayOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../ui/filters.tsx';
import { clientOf } from '../../app/client.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { words as money } from '../../money/words.ts';
import { nameOf } from '../../app/customers.ts';
import { Link } from '@tanstack/react-router';
import { paymentStatus, PaymentStatus } from '../../money/status.tsx';
import { RefundPayment } from './refund.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const LISTS = ['payments', 'disputes', 'refunds'] as const;
const STATES = ['failed', 'action_required', 'pending', 'succeeded'] as const;
const PAGE = 50;

export function Payments() {
  const [address] = useAddress();
  const of = LISTS.find((one) => one === address.of) ?? 'payments';
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="of"
          label={words.say('filter.show')}
          choices={LISTS.map((one) => [one, words.say(`list.${one}`)])}
        />
        {of === 'payments' ? (
          <>
            <ChoiceFilter
              name="status"
              label={words.say('filter.status')}
              any={words.say('any')}
              choices={STATES.map((one) => [one, paymentStatus(one)])}
            />
            <CustomerFilter name="customer" label={words.say('filter.payer')} />
            <ClearFilters names={['status', 'customer']} />
          </>
        ) : null}
      </div>
      {of === 'payments' ? <Paid /> : of === 'disputes' ? <Disputes /> : <Refunds />}
    </>
  );
}

function Paid() {
  const business = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
  const [refunding, setRefunding] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const status = STATES.find((one) => one === address.status);
  const list = usePages(
    'GET /payments',
    {
      query: {
        ...(status && { status: [status] }),
        ...(Number(address.customer) > 0 && { customer: [Number(address.customer)] }),
        sort: ['-id'],
        page_size: PAGE,
      },
      fields: [
        'id',
        'amount',
        'refunded_amount',
        'status',
        'description',
        'failure',
        'trouble',
        'created_at',
        'subject',
        'cancel_asked_at',
        'customer.id',
        'customer.first_name',
        'customer.last_name',
      ],
    },
    { keep: true },
  );
  const client = clientOf(business.id);
  return (
    <>
      <Listed list={list} none={words.say('payments.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.payments')}>
            {all.map((one) => {
              const { id, amount, refunded_amount, customer, subject, description } = one;
              const name = customer ? nameOf(customer) : '';
              const isRunning =
                one.status === 'started' || one.status === 'action_required' || one.status === 'pending';
              const left = (amount?.decimal ?? 0) - (refunded_amount?.decimal ?? 0);
              return (
                <li key={id}>
                  <span>{momentOf(one.created_at, business.timezone)}</span>
                  {customer ? <CustomerLink id={customer.id} name={name} /> : null}
                  {subject.object === 'invoice' && may(business, 'pos', 'store') ? (
                    <Link to={`/${business.id}/sales/${subject.id}` as string}>{description}</Link>
                  ) : (
                    <span className="soft">{description}</span>
                  )}
                  <PaymentStatus status={one.status} />
                  <span className="end">
                    {amount ? amountOf(amount) : null}
                    {refunded_amount && refunded_amount.decimal > 0 ? (
                      <span className="soft small">
                        {' '}
                        {money.say('payment.refunded', { amount: amountOf(refunded_amount) })}
                      </span>
                    ) : null}
                  </span>
                  {isRunning ? (
                    <RowButton
                      text={words.say('check')}
                      about={name}
                      onClick={() =>
                        void propose({
                          title: words.say('check.of', { name }),
                          confirm: words.say('check'),
                          announced: [],
                          done: words.say('check.done'),
                          call: () => client.call('POST /payments/{id}/check', { params: { id } }),
                        })
                      }
                    />
                  ) : null}
                  {isRunning && one.cancel_asked_at === null ? (
                    <RowButton
                      text={words.say('stop')}
                      about={name}
                      onClick={() =>
                        void propose({
                          title: words.say('stop.of', { name }),
                          confirm: words.say('stop'),
                          done: words.say('stop.done'),
                          call: () => client.call('POST /payments/{id}/cancel', { params: { id }, body: {} }),
                        })
                      }
                    />
                  ) : null}
                  {one.status === 'succeeded' && left > 0 ? (
                    <RowButton text={words.say('refund')} about={name} onClick={() => setRefunding({ id, name })} />
                  ) : null}
                  {one.failure && one.status === 'failed' ? <p className="whole soft small">{one.failure}</p> : null}
                  {one.trouble ? <p className="whole error">{one.trouble}</p> : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {refunding ? <RefundPayment payment={refunding} onClose={() => setRefunding(null)} /> : null}
    </>
  );
}

function Disputes() {
  const list = usePages('GET /payment_disputes', {
    query: { sort: ['-id'], page_size: PAGE },
    fields: [
      'id',
      'amount',
      'reason',
      'status',
      'answer_by',
      'payment.description',
      'payment.customer.id',
      'payment.customer.first_name',
      'payment.customer.last_name',
    ],
  });
  const { timezone } = useBusiness();
  return (
    <>
      <p className="soft">{words.say('disputes.about')}</p>
      <Listed list={list} none={words.say('disputes.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('list.disputes')}>
            {all.map(({ id, amount, reason, status, answer_by, payment }) => (
              <li key={id}>
                {payment?.customer ? <CustomerLink id={payment.customer.id} name={nameOf(payment.customer)} /> : null}
                <span className="soft">{payment?.description}</span>
                <span className={status === 'won' ? 'tag good' : 'tag wrong'}>{words.say(`dispute.${status}`)}</span>
                {answer_by && status === 'open' ? (
                  <span className="soft small">
                    {words.say('answer_by', { moment: momentOf(answer_by, timezone) })}
                  </span>
                ) : null}
                <span className="end">{amount ? amountOf(amount) : null}</span>
                <p className="whole soft small">{reason}</p>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

function Refunds() {
  const business = useBusiness();
  const propose = usePropose();
  const list = usePages('GET /payment_refunds', {
    query: { sort: ['-id'], page_size: PAGE },
    fields: [
      'id',
      'amount',
      'explanation',
      'status',
      'failure',
      'retried_by.id',
      'created_at',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
    ],
  });
  return (
    <Listed list={list} none={words.say('refunds.none')} next={[]}>
      {(all) => (
        <ul className="rows" aria-label={words.say('list.refunds')}>
          {all.map(({ id, amount, explanation, status, failure, retried_by, created_at, customer }) => {
            const name = customer ? nameOf(customer) : '';
            return (
              <li key={id}>
                <span>{calendarDayOf(created_at.slice(0, 10))}</span>
                {customer ? <CustomerLink id={customer.id} name={name} /> : null}
                <span className="soft">{explanation}</span>
                <span className={status === 'failed' ? 'tag wrong' : 'tag'}>{words.say(`refund.${status}`)}</span>
                <span className="end">{amount ? amountOf(amount) : null}</span>
                {status === 'started' || status === 'pending' ? (
                  <RowButton
                    text={words.say('check')}
                    about={name}
                    onClick={() =>
                      void propose({
                        title: words.say('refund.check.of', { name }),
                        confirm: words.say('check'),
                        announced: [],
                        done: words.say('check.done'),
                        call: () => clientOf(business.id).call('POST /payment_refunds/{id}/check', { params: { id } }),
                      })
                    }
                  />
                ) : null}
                {status === 'failed' ? (
                  <>
                    {retried_by === null ? (
                      <RowButton
                        text={words.say('refund.again')}
                        about={name}
                        onClick={() =>
                          void propose({
                            title: words.say('refund.again.of', { name }),
                            confirm: words.say('refund.again'),
                            done: words.say('refund.done'),
                            call: () =>
                              clientOf(business.id).call('POST /payment_refunds/{id}/retry', { params: { id } }),
                          })
                        }
                      />
                    ) : null}
                    {failure ? <p className="whole soft small">{failure}</p> : null}
                  </>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
    </Listed>
  );
}
