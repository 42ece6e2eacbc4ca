/** One payment: method, amount, and the cash received. */
import { Field } from '../../ui/field.tsx';
import { deskOf, type PaymentRow } from './cart.ts';
import { words } from './words.ts';
import type { DeskRead } from './desks.ts';

export interface PaymentFieldsProps {
  readonly row: PaymentRow;
  /** index of the payment, from 0 */
  readonly n: number;
  readonly of: number;
  readonly desks: readonly DeskRead[];
  /** amounts of cash to choose from */
  readonly notes: readonly string[];
  readonly onChange: (change: Partial<PaymentRow>) => void;
  readonly onRemove: () => void;
}

export function PaymentFields({ row, n, of, desks, notes, onChange, onRemove }: PaymentFieldsProps) {
  const desk = deskOf(row, desks);
  const isLast = n === of - 1;
  return (
    <fieldset className="counter-payment">
      <legend>{of === 1 ? words.say('payment') : words.say('payment.n', { n: n + 1 })}</legend>
      <div className="counter-desks">
        {desks.map(({ id, name }) => (
          <label key={id} className="counter-way">
            <input
              type="radio"
              name={`processor ${row.key}`}
              checked={id === desk?.id}
              onChange={() => onChange({ processor: id, tendered: '' })}
            />{' '}
            {name}
          </label>
        ))}
      </div>
      {isLast ? null : (
        <Field label={words.say('payment.amount')}>
          <input
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            value={row.amount}
            onChange={({ target }) => onChange({ amount: target.value })}
          />
        </Field>
      )}
      {desk?.is_cash_drawer ? (
        <Field label={words.say('payment.tendered')} hint={words.say('payment.tendered.hint')}>
          <input
            name="tendered"
            inputMode="decimal"
            autoComplete="off"
            value={row.tendered}
            onChange={({ target }) => onChange({ tendered: target.value })}
          />
        </Field>
      ) : null}
      {desk?.is_cash_drawer && notes.length > 0 ? (
        <span className="counter-notes">
          {notes.map((amount) => (
            <button key={amount} type="button" className="second" onClick={() => onChange({ tendered: amount })}>
              {amount}
            </button>
          ))}
        </span>
      ) : null}
      {isLast && of > 1 ? <p className="hint">{words.say('payment.rest')}</p> : null}
      {of > 1 ? (
        <button type="button" className="plain" onClick={onRemove}>
          {words.say('payment.remove', { n: n + 1 })}
        </button>
      ) : null}
    </fieldset>
  );
}
