/** The lines of an invoice, with their fees and taxes. */
import { amountOf } from '../../words/times.ts';
import { words } from './words.ts';
import type { Money } from 'rollcall-sdk';

export interface BillLine {
  readonly id: number;
  readonly description: string;
  readonly quantity: number;
  readonly discount: Money | null;
  readonly total_amount_due: Money | null;
}

export function Bill({ lines }: { readonly lines: readonly BillLine[] }) {
  return (
    <details>
      <summary>{words.say('bill')}</summary>
      <ul className="plain-list counter-bill">
        {lines.map(({ id, description, quantity, discount, total_amount_due }) => (
          <li key={id}>
            <span>
              {quantity > 1 ? `${quantity} × ` : ''}
              {description}
              {discount && discount.decimal > 0 ? (
                <span className="soft small"> {words.say('bill.discount', { amount: amountOf(discount) })}</span>
              ) : null}
            </span>
            <span>{total_amount_due ? amountOf(total_amount_due) : ''}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
