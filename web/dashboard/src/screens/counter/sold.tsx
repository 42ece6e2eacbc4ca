/** The completed sale: the change to return, the receipt, gift cards to print, and a link to the next sale. */
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { printPage } from '../../app/print.ts';
import { PrintReceipt } from '../../money/print-receipt.tsx';
import { SendReceipt } from './send-receipt.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Cart } from './cart.ts';
import type { Sale } from './price.ts';

export interface SoldProps {
  readonly sale: Sale;
  readonly cart: Cart;
  readonly onNext: () => void;
}

export function Sold({ sale, cart, onNext }: SoldProps) {
  const [sending, setSending] = useState(false);
  return (
    <section className="card counter-sold" aria-labelledby="sold">
      <h2 id="sold">{words.say('sold.for', { amount: amountOf(sale.total_amount) })}</h2>
      <p role="status" className="numbers">
        {sale.change_amount.decimal > 0
          ? words.say('sold.change', { amount: amountOf(sale.change_amount) })
          : words.say('sold.exact')}
      </p>
      <p className="soft">
        {cart.customer ? words.say('sold.to', { name: cart.customer.label }) : words.say('sold.walk_in')}
      </p>
      {sale.invoice && cart.lines.some(({ item }) => 'item_type' in item) ? <Cards invoice={sale.invoice.id} /> : null}
      <div className="actions">
        <button type="button" onClick={onNext} autoFocus>
          {words.say('sold.next')}
        </button>
        <PrintReceipt sale={sale.id} second />
        <button type="button" className="second" onClick={() => setSending(true)}>
          {words.say('receipt.send')}
        </button>
      </div>
      {sending ? (
        <SendReceipt sale={sale.id} customer={cart.customer?.id ?? null} onClose={() => setSending(false)} />
      ) : null}
    </section>
  );
}

/** Gift cards whose code is not printed yet. The code is shown only once. */
function Cards({ invoice }: { readonly invoice: number }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { data } = useCall('GET /gift_cards', {
    query: { invoice, delivery_status: ['to_print'] },
    fields: ['id', 'amount'],
  });
  return (
    <div className="actions">
      {(data?.results ?? []).map(({ id, amount }) => (
        <button
          key={id}
          type="button"
          className="second"
          onClick={() =>
            void propose({
              title: words.say('card.print', { amount: amountOf(amount) }),
              announced: ['gift_card_printed'],
              done: words.say('card.printed'),
              call: () => clientOf(business).call('POST /gift_cards/{id}/print', { params: { id } }),
            }).then((outcome) => {
              // Only the response that created the card contains its page.
              if (outcome.made && outcome.answer.page !== null) printPage(outcome.answer.page);
            })
          }
        >
          {words.say('card.print', { amount: amountOf(amount) })}
        </button>
      ))}
    </div>
  );
}
