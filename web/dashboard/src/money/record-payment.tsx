/** Records a payment that staff received for an invoice: in cash, at a card terminal or by bank transfer. */
import { typedAmount } from '../app/amount.ts';
import { clientOf } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { words } from './words.ts';

export interface RecordPaymentProps {
  readonly invoice: { readonly id: number; readonly number: string };
  readonly onClose: () => void;
}

const METHODS = ['cash', 'terminal', 'transfer'] as const;

export function RecordPayment({ invoice: { id, number }, onClose }: RecordPaymentProps) {
  const { id: business, currency } = useBusiness();
  return (
    <ProposalForm
      title={words.say('pay.of', { number })}
      onClose={onClose}
      proposal={({ amount, method }) => ({
        title: words.say('pay.of', { number }),
        confirm: words.say('pay'),
        done: words.say('pay.done', { number }),
        call: () =>
          clientOf(business).call('POST /invoices/{id}/record_payment', {
            params: { id },
            body: {
              method: METHODS.find((one) => one === method) ?? 'cash',
              ...(amount && { amount: typedAmount(amount) }),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field
            label={words.say('field.amount', { currency })}
            hint={words.say('pay.amount.hint')}
            errors={errors('amount')}
          >
            <input name="amount" inputMode="decimal" autoComplete="off" autoFocus />
          </Field>
          <Field label={words.say('pay.method')} errors={errors('method')}>
            <select name="method">
              {METHODS.map((one) => (
                <option key={one} value={one}>
                  {words.say(`pay.${one}`)}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
