import '../../../ui/lists.css';
import { typedAmount } from '../../../app/amount.ts';
import { useState } from 'react';
import { amountOf, calendarDayOf, momentOf } from '../../../words/times.ts';
import { Balance } from './overview.tsx';
import { clientOf } from '../../../app/client.ts';
import { Credit, MoveCredit } from './credit.tsx';
import { Entries } from './account-entries.tsx';
import { Field } from '../../../ui/field.tsx';
import { InvoiceStatus, PaymentStatus } from '../../../money/status.tsx';
import { keepAs } from '../../../app/files.ts';
import { Listed } from '../../../ui/listed.tsx';
import { words as money } from '../../../money/words.ts';
import { may, useBusiness } from '../../../app/business.ts';
import { PaymentMethods } from './payment-methods.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RecordPayment } from '../../../money/record-payment.tsx';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

const PAGE = 20;

export function Account({ person }: TabProps) {
  const business = useBusiness();
  const [giving, setGiving] = useState<'credit' | 'charge' | 'move' | null>(null);
  return (
    <>
      {may(business, 'customers', 'customer_payments', 'revenue') ? <Balance person={person} /> : null}
      {may(business, 'customer_payments') ? (
        <div className="actions">
          {(['credit', 'charge'] as const).map((kind) => (
            <button key={kind} type="button" className="second" onClick={() => setGiving(kind)}>
              {words.say(`account.${kind}`)}
            </button>
          ))}
          {person.family === null ? null : (
            <button type="button" className="second" onClick={() => setGiving('move')}>
              {words.say('account.move')}
            </button>
          )}
        </div>
      ) : null}
      {may(business, 'pos', 'store') ? (
        <>
          <h3>{words.say('invoices')}</h3>
          <Invoices person={person} />
        </>
      ) : null}
      {may(business, 'customer_payments', 'pos', 'revenue') ? (
        <>
          <h3>{words.say('payments')}</h3>
          <Payments person={person} />
        </>
      ) : null}
      {may(business, 'customer_payments', 'pos') ? (
        <>
          <h3>{words.say('methods')}</h3>
          <PaymentMethods person={person} />
        </>
      ) : null}
      <h3>{words.say('entries')}</h3>
      <Entries person={person} />
      {may(business, 'customers', 'customer_payments', 'revenue') ? (
        <>
          <h3>{words.say('movements')}</h3>
          <Credit person={person} />
        </>
      ) : null}
      {giving === 'credit' || giving === 'charge' ? (
        <Give person={person} kind={giving} onClose={() => setGiving(null)} />
      ) : null}
      {giving === 'move' && person.family !== null ? (
        <MoveCredit person={person} family={person.family} onClose={() => setGiving(null)} />
      ) : null}
    </>
  );
}

interface GiveProps extends TabProps {
  readonly kind: 'credit' | 'charge';
  readonly onClose: () => void;
}

function Give({ person, kind, onClose }: GiveProps) {
  const { id: business, currency } = useBusiness();
  return (
    <ProposalForm
      title={words.say(`account.${kind}`)}
      onClose={onClose}
      proposal={({ amount = '', explanation = '' }) => ({
        title: words.say(`account.${kind}`),
        done: words.say(`account.${kind}.done`),
        call: () =>
          clientOf(business).call('POST /account_entries', {
            body: { customer: person.id, kind, amount: typedAmount(amount), explanation },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.amount', { currency })} errors={errors('amount')}>
            <input name="amount" inputMode="decimal" autoComplete="off" autoFocus />
          </Field>
          <Field
            label={words.say('field.explanation')}
            hint={words.say('field.explanation.hint')}
            errors={errors('explanation')}
          >
            <input name="explanation" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

function Invoices({ person }: TabProps) {
  const business = useBusiness();
  const [paying, setPaying] = useState<{ readonly id: number; readonly number: string } | null>(null);
  const list = usePages('GET /invoices', {
    query: { payer: [person.id], sort: ['-id'], page_size: PAGE },
    fields: ['id', 'number', 'status', 'due_date', 'total_amount_due', 'outstanding_amount', 'is_credit_note'],
  });
  return (
    <>
      <Listed list={list} none={words.say('invoices.none')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, number, status, due_date, total_amount_due, outstanding_amount, is_credit_note }) => (
              <li key={id}>
                <button
                  type="button"
                  className="plain"
                  onClick={() =>
                    void keepAs(
                      clientOf(business.id).call('GET /invoices/{id}/document', { params: { id } }),
                      `${number}.pdf`,
                    )
                  }
                >
                  {number}
                </button>
                <span>{calendarDayOf(due_date)}</span>
                <InvoiceStatus status={status} />
                <span className="end">{total_amount_due ? amountOf(total_amount_due) : ''}</span>
                {!is_credit_note &&
                outstanding_amount &&
                outstanding_amount.decimal > 0 &&
                status !== 'voided' &&
                may(business, 'pos', 'customer_payments') ? (
                  <button
                    type="button"
                    className="second"
                    aria-label={money.say('pay.of', { number })}
                    onClick={() => setPaying({ id, number })}
                  >
                    {money.say('pay')}
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {paying ? <RecordPayment invoice={paying} onClose={() => setPaying(null)} /> : null}
    </>
  );
}

function Payments({ person }: TabProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /payments', {
    query: { customer: [person.id], sort: ['-id'], page_size: PAGE },
    fields: ['id', 'amount', 'refunded_amount', 'status', 'description', 'created_at'],
  });
  return (
    <Listed list={list} none={words.say('payments.none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, amount, refunded_amount, status, description, created_at }) => (
            <li key={id}>
              <span>{momentOf(created_at, timezone)}</span>
              <span>{description}</span>
              <PaymentStatus status={status} />
              <span className="end">
                {amount ? amountOf(amount) : ''}
                {refunded_amount && refunded_amount.decimal > 0 ? (
                  <span className="soft small">
                    {' '}
                    {money.say('payment.refunded', { amount: amountOf(refunded_amount) })}
                  </span>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
