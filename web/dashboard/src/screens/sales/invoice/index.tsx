/** One invoice: its lines, payments and credit notes, and the actions on it. */
import '../../../ui/lists.css';
import '../sales.css';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { AnswerOf } from 'rollcall-sdk';
import { amountOf, calendarDayOf, momentOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { CreditNote } from './credit-note.tsx';
import { CustomerLink } from '../../../ui/customer-link.tsx';
import { Loading, Missing } from '../../../ui/states.tsx';
import { InvoiceStatus } from '../../../money/status.tsx';
import { keepAs } from '../../../app/files.ts';
import { Lines, PaidBy } from './parts.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { words as money } from '../../../money/words.ts';
import { useCall } from '../../../app/calls.ts';
import { PrintReceipt } from '../../../money/print-receipt.tsx';
import { RecordPayment } from '../../../money/record-payment.tsx';
import { useParam } from '../../../app/address.ts';
import { usePropose } from '../../../changes/change.tsx';
import { VoidInvoice } from './void.tsx';
import { words } from '../words.ts';
import { DetailsPage } from '../../../ui/page.tsx';

export const { ready } = words;

const FIELDS = [
  'id',
  'number',
  'status',
  'issue_date',
  'due_date',
  'is_credit_note',
  'total_amount_due',
  'outstanding_amount',
  'payer.id',
  'payer.name',
  'reason',
  'paid_at',
  'reminded_at',
  'void_explanation',
  'credited_invoice.id',
  'credited_invoice.number',
  'line_items.id',
  'line_items.type',
  'line_items.description',
  'line_items.quantity',
  'line_items.price',
  'line_items.discount',
  'line_items.total_amount_due',
  'line_items.credited_amount',
  'adjustments.id',
  'adjustments.description',
  'adjustments.amount',
  'taxes.id',
  'taxes.name',
  'taxes.amount',
  'taxes.explanation',
  'charges.id',
  'charges.amount',
  'charges.created_at',
  'charges.payment',
  'applied_credits.id',
  'applied_credits.amount',
  'applied_credits.created_at',
  'credit_notes.id',
  'credit_notes.number',
  'credit_notes.issue_date',
  'credit_notes.total_amount_due',
  'credit_notes.reason',
] as const;

export type Invoice = AnswerOf<'GET /invoices/{id}', (typeof FIELDS)[number], never>;

type Doing = 'pay' | 'credit' | 'void';

export function Screen() {
  const business = useBusiness();
  const id = Number(useParam('invoice'));
  const found = useCall('GET /invoices/{id}', { params: { id }, fields: FIELDS });
  const invoice = found.data;
  if (found.error && !invoice)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('invoice.not_here')}>
        <Link to={`/${business.id}/sales` as string}>{words.say('to_invoices')}</Link>
      </Missing>
    );
  if (!invoice) return <Loading />;
  return (
    <DetailsPage
      className="sales"
      back={{ to: 'sales', label: words.say('to_invoices') }}
      title={invoice.number}
      about={<Facts invoice={invoice} />}
    >
      <Actions invoice={invoice} />
      <Lines invoice={invoice} />
      <PaidBy invoice={invoice} />
    </DetailsPage>
  );
}

function Facts({ invoice }: { readonly invoice: Invoice }) {
  const business = useBusiness();
  const { payer, status, is_credit_note, total_amount_due: total, outstanding_amount: left } = invoice;
  return (
    <>
      <p className="facts">
        {is_credit_note ? <span className="tag">{words.say('credit_note')}</span> : <InvoiceStatus status={status} />}
        {payer ? <CustomerLink id={payer.id} name={payer.name} /> : null}
        <span>{words.say('issued', { day: calendarDayOf(invoice.issue_date) })}</span>
        {is_credit_note ? null : <span>{words.say('due', { day: calendarDayOf(invoice.due_date) })}</span>}
        {total ? <strong>{amountOf(total)}</strong> : null}
        {left && left.decimal > 0 && status !== 'voided' ? (
          <span>{words.say('left', { amount: amountOf(left) })}</span>
        ) : null}
        {invoice.reminded_at ? (
          <span className="soft small">
            {words.say('reminded', { moment: momentOf(invoice.reminded_at, business.timezone) })}
          </span>
        ) : null}
      </p>
      {invoice.credited_invoice ? (
        <p>
          {words.say('takes_back')}{' '}
          <Link to={`/${business.id}/sales/${invoice.credited_invoice.id}` as string}>
            {invoice.credited_invoice.number}
          </Link>
          {invoice.reason ? `: ${invoice.reason}` : null}
        </p>
      ) : null}
      {invoice.void_explanation ? <p>{words.say('void.because', { reason: invoice.void_explanation })}</p> : null}
    </>
  );
}

function Actions({ invoice }: { readonly invoice: Invoice }) {
  const business = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { id, number, status, is_credit_note, total_amount_due: total, outstanding_amount: left } = invoice;
  const client = clientOf(business.id);
  const close = (): void => setDoing(null);
  const mayChange = may(business, 'pos', 'customer_payments');
  const isOpen = !is_credit_note && status !== 'voided';
  const isUntouched = left !== null && total !== null && left.decimal === total.decimal && status !== 'paid';
  const sold = useCall(
    'GET /counter/sales',
    { query: { invoice: [id], page_size: 1 }, fields: ['id'] },
    { enabled: may(business, 'pos') },
  );
  const sale = sold.data?.results[0];
  const canCredit = invoice.line_items.some(
    ({ total_amount_due: all, credited_amount: back }) => all && back && all.decimal > back.decimal,
  );
  return (
    <div className="actions">
      <button
        type="button"
        className="second"
        onClick={() => void keepAs(client.call('GET /invoices/{id}/document', { params: { id } }), `${number}.pdf`)}
      >
        {words.say('pdf')}
      </button>
      {sale ? <PrintReceipt sale={sale.id} second /> : null}
      {mayChange && status !== 'voided' ? (
        <button
          type="button"
          className="second"
          onClick={() =>
            void propose({
              title: words.say('send.of', { number }),
              confirm: words.say('send'),
              done: words.say('send.done', { number }),
              call: () => client.call('POST /invoices/{id}/send', { params: { id }, body: {} }),
            })
          }
        >
          {words.say('send')}
        </button>
      ) : null}
      {mayChange && isOpen && left && left.decimal > 0 ? (
        <button type="button" onClick={() => setDoing('pay')}>
          {money.say('pay')}
        </button>
      ) : null}
      {mayChange && isOpen && canCredit ? (
        <button type="button" className="second" onClick={() => setDoing('credit')}>
          {words.say('credit')}
        </button>
      ) : null}
      {mayChange && isOpen && isUntouched ? (
        <button type="button" className="second" onClick={() => setDoing('void')}>
          {words.say('void')}
        </button>
      ) : null}
      {doing === 'pay' ? <RecordPayment invoice={invoice} onClose={close} /> : null}
      {doing === 'credit' ? <CreditNote invoice={invoice} onClose={close} /> : null}
      {doing === 'void' ? <VoidInvoice invoice={invoice} onClose={close} /> : null}
    </div>
  );
}
