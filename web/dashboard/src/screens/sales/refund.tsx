/** Refunds a payment to the original payment method. */
import { typedAmount } from '../../app/amount.ts';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { words as money } from '../../money/words.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export interface RefundPaymentProps {
  readonly payment: { readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

export function RefundPayment({ payment: { id, name }, onClose }: RefundPaymentProps) {
  const { id: business, currency } = useBusiness();
  return (
    <ProposalForm
      title={words.say('refund.of', { name })}
      onClose={onClose}
      proposal={({ amount, reason = '' }) => ({
        title: words.say('refund.of', { name }),
        confirm: words.say('refund'),
        done: words.say('refund.done'),
        grave: true,
        call: () =>
          clientOf(business).call('POST /payments/{id}/refund', {
            params: { id },
            body: { reason, ...(amount && { amount: typedAmount(amount) }) },
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('refund.about')}</p>
          <Field
            label={money.say('field.amount', { currency })}
            hint={words.say('refund.amount.hint')}
            errors={errors('amount')}
          >
            <input name="amount" inputMode="decimal" autoComplete="off" autoFocus />
          </Field>
          <Field label={words.say('reason')} hint={words.say('reason.hint')} errors={errors('reason')}>
            <input name="reason" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
