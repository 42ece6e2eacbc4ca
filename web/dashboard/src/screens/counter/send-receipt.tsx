import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export function SendReceipt({ sale, onClose }: { readonly sale: number; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={words.say('receipt.send')}
      onClose={onClose}
      proposal={({ email = '' }) => ({
        title: words.say('receipt.send'),
        done: words.say('receipt.sent', { email }),
        call: () =>
          clientOf(business).call('POST /counter/sales/{id}/send_receipt', { params: { id: sale }, body: { email } }),
      })}
    >
      {(errors) => (
        <Field label={words.say('receipt.email')} hint={words.say('receipt.email.hint')} errors={errors('email')}>
          <input name="email" type="email" autoComplete="off" required />
        </Field>
      )}
    </ProposalForm>
  );
}
