/** The total of a sale and its payment: by one method, or split among several. */
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import type { Problem } from 'rollcall-sdk';
import { amountOf } from '../../words/times.ts';
import { Bill } from './bill.tsx';
import { clientOf } from '../../app/client.ts';
import { paymentsOf, withPayment, type PaymentRow, type soldOf } from './cart.ts';
import { notesFor } from './notes.ts';
import { PaymentFields } from './payment-fields.tsx';
import { problemOf } from '../../app/calls.ts';
import { SALE_FIELDS, usePrice, type Sale, type SaleBody } from './price.ts';
import { useBusiness } from '../../app/business.ts';
import { useDeferred } from '../../app/deferred.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import { Wrong } from './wrong.tsx';
import type { CartProps } from './lines.tsx';
import type { DeskRead } from './desks.ts';

export interface PayProps extends CartProps {
  readonly place: RefObject<HTMLFormElement | null>;
  readonly desks: readonly DeskRead[];
  readonly sold: ReturnType<typeof soldOf>;
  readonly onSold: (sale: Sale) => void;
}

/** Returns the cash suggestions for a total. */
const notesOf = ({ decimal, string }: Sale['total_amount']): readonly string[] =>
  notesFor(decimal, string.split('.')[1]?.length ?? 0);

export function Pay({ place, cart, desks, sold, onChange, onSold }: PayProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [wrong, setWrong] = useState<Problem | null>(null);
  // The price is not requested for every letter.
  const typed = JSON.stringify({ sold, payments: paymentsOf(cart, desks) });
  const settled = useDeferred(typed, 250);
  const asked = JSON.parse(settled) as { sold: typeof sold; payments: ReturnType<typeof paymentsOf> };
  // The price is shown before a payment method is chosen, and while a drawer is still closed.
  const anyDesk = desks.find(({ is_cash_drawer }) => !is_cash_drawer) ?? desks[0];
  const price = usePrice(asked.sold, [{ payment_processor: anyDesk.id }], true);
  const paid = usePrice(asked.sold, asked.payments, price.data !== undefined);
  const isReady = settled === typed && price.data !== undefined && sold.items.length > 0;
  useEffect(() => setWrong(null), [typed]);
  // A repeated attempt at the same sale takes effect once.
  const key = useRef({ of: '', key: '' });
  const keyFor = (body: string): string => {
    if (key.current.of !== body) key.current = { of: body, key: crypto.randomUUID() };
    return key.current.key;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    const { total, body: priced } = price.data!;
    const body: SaleBody = {
      ...sold,
      payments: priced.payments.length === 0 ? [] : paymentsOf(cart, desks),
      total: total.string,
    };
    const idempotencyKey = keyFor(JSON.stringify(body));
    const amount = amountOf(total);
    const outcome = await propose({
      title: words.say('sell.for', { amount }),
      call: () => clientOf(business).call('POST /counter/sales', { body, fields: SALE_FIELDS, idempotencyKey }),
      done: words.say('sold.for', { amount }),
    });
    if (outcome.made) onSold(outcome.answer);
    else setWrong(outcome.problem);
  };
  const changeRow = (at: number, change: Partial<PaymentRow>): void =>
    onChange((now) => ({
      ...now,
      payments: now.payments.map((row) => (row.key === at ? { ...row, ...change } : row)),
    }));
  const isFree = price.data?.body.payments.length === 0;
  const failed = price.error ?? (isFree ? null : paid.error);
  const change = isFree ? undefined : paid.data?.change;
  return (
    <form
      ref={place}
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === 'Escape' && setWrong(null)}
    >
      {cart.customer ? (
        <label className="box">
          <input
            type="checkbox"
            checked={cart.credit}
            onChange={({ target }) => onChange((now) => ({ ...now, credit: target.checked }))}
          />{' '}
          {words.say('credit')}
        </label>
      ) : null}
      <details open={cart.code !== ''}>
        <summary>{words.say('code')}</summary>
        <div className="field">
          <input
            aria-label={words.say('code')}
            autoComplete="off"
            value={cart.code}
            onChange={({ target }) => onChange((now) => ({ ...now, code: target.value }))}
          />
        </div>
      </details>
      <div role="status" className="counter-total" aria-busy={!isReady && sold.items.length > 0}>
        {isReady && price.data ? (
          <>
            <p className="numbers counter-sum">{words.say('total', { amount: amountOf(price.data.total) })}</p>
            {price.data.credit.decimal > 0 ? (
              <p>{words.say('total.credit', { amount: amountOf(price.data.credit) })}</p>
            ) : null}
          </>
        ) : null}
      </div>
      {isReady && price.data ? <Bill lines={price.data.lines} /> : null}
      {isFree
        ? null
        : cart.payments.map((row, n) => (
            <PaymentFields
              key={row.key}
              row={row}
              n={n}
              of={cart.payments.length}
              desks={desks}
              notes={cart.payments.length === 1 && isReady ? notesOf(price.data!.total) : []}
              onChange={(one) => changeRow(row.key, one)}
              onRemove={() =>
                onChange((now) => ({ ...now, payments: now.payments.filter(({ key: at }) => at !== row.key) }))
              }
            />
          ))}
      {isFree ? null : (
        <button type="button" className="plain" onClick={() => onChange((now) => withPayment(now, desks))}>
          {words.say('payment.add')}
        </button>
      )}
      <div role="status">
        {isReady && change && change.decimal > 0 ? (
          <p className="numbers">{words.say('change', { amount: amountOf(change) })}</p>
        ) : null}
      </div>
      {failed && sold.items.length > 0 ? <Wrong error={failed} again={() => void price.refetch()} /> : null}
      {wrong && !problemOf(failed) ? <Wrong problem={wrong} /> : null}
      <div className="actions">
        <button type="submit" className="counter-sell-it" disabled={!isReady}>
          {isReady && price.data ? words.say('sell.for', { amount: amountOf(price.data.total) }) : words.say('sell')}
        </button>
      </div>
    </form>
  );
}
