/** The lines of an invoice, and its payments. */
import { Link } from '@tanstack/react-router';
import { amountOf, calendarDayOf, momentOf } from '../../../words/times.ts';
import { may, useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';
import type { Invoice } from './index.tsx';

interface PartProps {
  readonly invoice: Invoice;
}

export function Lines({ invoice: { line_items, adjustments, taxes, total_amount_due: total } }: PartProps) {
  return (
    <div className="wide-table" role="region" aria-label={words.say('lines')} tabIndex={0}>
      <table>
        <caption>{words.say('lines')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('line.what')}</th>
            <th scope="col" className="amount">
              {words.say('line.price')}
            </th>
            <th scope="col" className="amount">
              {words.say('line.discount')}
            </th>
            <th scope="col" className="amount">
              {words.say('line.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {line_items.map((line) => (
            <tr key={line.id}>
              <th scope="row">
                {line.quantity > 1 ? `${line.quantity} × ` : ''}
                {line.description}
                {line.credited_amount && line.credited_amount.decimal > 0 ? (
                  <span className="soft small">
                    {' '}
                    {words.say('line.back', { amount: amountOf(line.credited_amount) })}
                  </span>
                ) : null}
              </th>
              <td className="amount">{line.price ? amountOf(line.price) : null}</td>
              <td className="amount">
                {line.discount && line.discount.decimal > 0 ? `−${amountOf(line.discount)}` : null}
              </td>
              <td className="amount">{line.total_amount_due ? amountOf(line.total_amount_due) : null}</td>
            </tr>
          ))}
          {adjustments.map((one) => (
            <tr key={`a${one.id}`}>
              <th scope="row" colSpan={3}>
                {one.description}
              </th>
              <td className="amount">{one.amount ? amountOf(one.amount) : null}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {taxes.map((tax) => (
            <tr key={tax.id}>
              <th scope="row" colSpan={3}>
                {words.say('line.of_which', { name: tax.name })}
                {tax.explanation ? <span className="soft small"> {tax.explanation}</span> : null}
              </th>
              <td className="amount">{tax.amount ? amountOf(tax.amount) : null}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={3}>
              {words.say('total')}
            </th>
            <td className="amount">{total ? <strong>{amountOf(total)}</strong> : null}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

export function PaidBy({ invoice: { charges, applied_credits, credit_notes, is_credit_note, payer } }: PartProps) {
  const business = useBusiness();
  if (is_credit_note) return null;
  const nothing = charges.length + applied_credits.length + credit_notes.length === 0;
  return (
    <>
      <h2>{words.say('paid_by')}</h2>
      {nothing ? (
        <p className="soft">{words.say('paid_by.nothing')}</p>
      ) : (
        <ul className="rows" aria-label={words.say('paid_by')}>
          {charges.map(({ id, amount, created_at }) => (
            <li key={`c${id}`}>
              <span>{momentOf(created_at, business.timezone)}</span>
              {may(business, 'customer_payments', 'pos') && payer ? (
                <Link to={`/${business.id}/sales?tab=payments&customer=${payer.id}` as string}>
                  {words.say('paid_by.payment')}
                </Link>
              ) : (
                <span>{words.say('paid_by.payment')}</span>
              )}
              <span className="end">{amount ? amountOf(amount) : null}</span>
            </li>
          ))}
          {applied_credits.map(({ id, amount, created_at }) => (
            <li key={`a${id}`}>
              <span>{momentOf(created_at, business.timezone)}</span>
              <span>{words.say('paid_by.credit')}</span>
              <span className="end">{amount ? amountOf(amount) : null}</span>
            </li>
          ))}
          {credit_notes.map((note) => (
            <li key={`n${note.id}`}>
              <span>{calendarDayOf(note.issue_date)}</span>
              <Link to={`/${business.id}/sales/${note.id}` as string}>{note.number}</Link>
              <span className="soft">{note.reason}</span>
              <span className="end">{note.total_amount_due ? amountOf(note.total_amount_due) : null}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
