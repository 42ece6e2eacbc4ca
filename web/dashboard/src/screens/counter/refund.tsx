/** Refunds a sale in full or in part, to the original payment methods. */
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { OpenDrawer } from './wrong.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { SaleRead } from './sale.tsx';

type How = 'all' | 'lines' | 'amount';

export function Refund({ sale, onClose }: { readonly sale: SaleRead; readonly onClose: () => void }) {
  const { id: business, currency } = useBusiness();
  const [how, setHow] = useState<How>('all');
  const { payments, invoice } = sale;
  const lines = (invoice?.line_items ?? []).filter(
    ({ total_amount_due: due, credited_amount: back }) => due && back && due.decimal > back.decimal,
  );
  const title = words.say('refund.of', { number: invoice?.number ?? '' });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => {
        const amount = typedAmount(typed.amount ?? '');
        const payment = Number(typed.payment);
        return {
          title,
          confirm: words.say('refund'),
          done: words.say('refund.done'),
          grave: true,
          call: () =>
            clientOf(business).call('POST /counter/sales/{id}/refund', {
              params: { id: sale.id },
              body: {
                reason: typed.reason ?? '',
                ...(how === 'all' && typed.restock !== undefined && { restock: true }),
                ...(how === 'lines' && {
                  line_items: lines
                    .filter(({ id }) => typed[`line ${id}`] !== undefined)
                    .map(({ id, type }) => ({
                      line_item: id,
                      ...(type === 'store_order' && typed.restock !== undefined && { restock: true }),
                    })),
                }),
                ...(how === 'amount' && { amount, ...(payment && { payments: [{ payment, amount }] }) }),
              },
            }),
        };
      }}
      next={(problem) => (problem.code === 'cash_session_required' ? <OpenDrawer /> : null)}
    >
      {(errors) => (
        <>
          <fieldset>
            <legend>{words.say('refund.how')}</legend>
            {(['all', ...(lines.length > 1 ? (['lines'] as const) : []), 'amount'] as const).map((one) => (
              <label key={one} className="box">
                <input type="radio" name="how" checked={how === one} onChange={() => setHow(one)} />{' '}
                {words.say(`refund.${one}`)}
              </label>
            ))}
          </fieldset>
          {how === 'lines' ? (
            <fieldset>
              <legend>{words.say('refund.lines.which')}</legend>
              {lines.map(({ id, description, quantity, total_amount_due }) => (
                <label key={id} className="box">
                  <input type="checkbox" name={`line ${id}`} /> {quantity > 1 ? `${quantity} × ` : ''}
                  {description} {total_amount_due ? amountOf(total_amount_due) : ''}
                </label>
              ))}
              {errors('line_items').length > 0 ? <p className="error">{errors('line_items').join(' ')}</p> : null}
            </fieldset>
          ) : null}
          {how === 'amount' ? (
            <>
              <Field label={words.say('field.amount', { currency })} errors={errors('amount')}>
                <input name="amount" inputMode="decimal" autoComplete="off" required />
              </Field>
              {payments.length > 1 ? (
                <Field label={words.say('refund.payment')} errors={errors('payments')}>
                  <select name="payment">
                    <option value="">{words.say('refund.payment.latest')}</option>
                    {payments.map(({ payment, payment_processor, amount }) => (
                      <option key={payment} value={payment}>
                        {payment_processor?.name} – {amountOf(amount)}
                      </option>
                    ))}
                  </select>
                </Field>
              ) : null}
            </>
          ) : null}
          {how !== 'amount' && lines.some(({ type }) => type === 'store_order') ? (
            <label className="box">
              <input type="checkbox" name="restock" defaultChecked /> {words.say('refund.restock')}
            </label>
          ) : null}
          <Field label={words.say('field.reason')} hint={words.say('refund.reason.hint')} errors={errors('reason')}>
            <input name="reason" autoComplete="off" required />
          </Field>
          <p className="hint">{words.say('refund.stays')}</p>
        </>
      )}
    </ProposalForm>
  );
}
