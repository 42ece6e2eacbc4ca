/** One sale: its lines and payments, its receipt, and its refund. */
import { useState } from 'react';
import { amountOf, momentOf } from '../../words/times.ts';
import { Bill } from './bill.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { nameOf } from '../../app/customers.ts';
import { PrintReceipt } from '../../money/print-receipt.tsx';
import { Refund } from './refund.tsx';
import { SendReceipt } from './send-receipt.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

const FIELDS = [
  'id',
  'created_at',
  'customer.id',
  'customer.first_name',
  'customer.last_name',
  'total_amount',
  'credit_amount',
  'paid_amount',
  'refunded_amount',
  'payments.id',
  'payments.payment',
  'payments.payment_processor.name',
  'payments.amount',
  'payments.tendered',
  'payments.change',
  'invoice.id',
  'invoice.number',
  'invoice.line_items.id',
  'invoice.line_items.type',
  'invoice.line_items.description',
  'invoice.line_items.quantity',
  'invoice.line_items.discount',
  'invoice.line_items.total_amount_due',
  'invoice.line_items.credited_amount',
] as const;

export const useSale = (id: number) => useCall('GET /counter/sales/{id}', { params: { id }, fields: FIELDS });

export type SaleRead = NonNullable<ReturnType<typeof useSale>['data']>;

/** Returns true if a part of it is not refunded yet. */
const isOpen = ({ invoice }: SaleRead): boolean =>
  (invoice?.line_items ?? []).some(
    ({ total_amount_due: due, credited_amount: back }) => due && back && due.decimal > back.decimal,
  );

export function SaleShown({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { timezone } = useBusiness();
  const { data: sale, error, refetch } = useSale(id);
  const [doing, setDoing] = useState<'send' | 'refund' | null>(null);
  const title = sale ? words.say('sale.of', { number: sale.invoice?.number ?? '' }) : words.say('sale');
  if (sale && doing === 'send')
    return <SendReceipt sale={id} customer={sale.customer?.id ?? null} onClose={() => setDoing(null)} />;
  if (sale && doing === 'refund') return <Refund sale={sale} onClose={() => setDoing(null)} />;
  return (
    <Dialog title={title} onClose={onClose} side>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!sale && !error ? <Loading /> : null}
      {sale ? (
        <>
          <p>
            {momentOf(sale.created_at, timezone)} · {sale.customer ? nameOf(sale.customer) : words.say('walk_in')}
          </p>
          <p className="numbers">{words.say('total', { amount: amountOf(sale.total_amount) })}</p>
          <Bill lines={sale.invoice?.line_items ?? []} />
          <ul className="plain-list counter-bill">
            {sale.payments.map(({ id: payment, payment_processor, amount, tendered, change }) => (
              <li key={payment}>
                <span>
                  {payment_processor?.name}{' '}
                  {tendered && change.decimal > 0 ? (
                    <span className="soft small">
                      {words.say('sale.change', { tendered: amountOf(tendered), change: amountOf(change) })}
                    </span>
                  ) : null}
                </span>
                <span>{amountOf(amount)}</span>
              </li>
            ))}
            {sale.credit_amount.decimal > 0 ? (
              <li>
                <span>{words.say('sale.credit')}</span>
                <span>{amountOf(sale.credit_amount)}</span>
              </li>
            ) : null}
            {sale.refunded_amount.decimal > 0 ? (
              <li>
                <span>{words.say('sale.given_back')}</span>
                <span>−{amountOf(sale.refunded_amount)}</span>
              </li>
            ) : null}
          </ul>
          <div className="actions">
            <PrintReceipt sale={id} />
            <button type="button" className="second" onClick={() => setDoing('send')}>
              {words.say('receipt.send')}
            </button>
            {isOpen(sale) ? (
              <button type="button" className="second" onClick={() => setDoing('refund')}>
                {words.say('refund')}
              </button>
            ) : null}
          </div>
        </>
      ) : null}
    </Dialog>
  );
}
