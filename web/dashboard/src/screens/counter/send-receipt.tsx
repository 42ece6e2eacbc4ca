import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

interface SendReceiptProps {
  readonly sale: number;
  /** the buyer, whose address is proposed; null: a walk-in customer */
  readonly customer: number | null;
  readonly onClose: () => void;
}

export function SendReceipt({ sale, customer, onClose }: SendReceiptProps) {
  const { id: business } = useBusiness();
  // Null until somebody types: the address is proposed as soon as it is read.
  const [typed, setTyped] = useState<string | null>(null);
  const { data } = useCall(
    'GET /customers/{id}',
    { params: { id: customer ?? 0 }, fields: ['email'] },
    { enabled: customer !== null },
  );
  return (
    <ProposalForm
      title={words.say('receipt.send')}
      submit={words.say('receipt.send')}
      onClose={onClose}
      proposal={({ email = '' }) => ({
        title: words.say('receipt.send'),
        done: words.say('receipt.sent', { email }),
        announced: ['receipt_sent'],
        call: () =>
          clientOf(business).call('POST /counter/sales/{id}/send_receipt', { params: { id: sale }, body: { email } }),
      })}
    >
      {(errors) => (
        <Field label={words.say('receipt.email')} hint={words.say('receipt.email.hint')} errors={errors('email')}>
          <input
            name="email"
            type="email"
            autoComplete="off"
            value={typed ?? data?.email ?? ''}
            onChange={({ target }) => setTyped(target.value)}
            required
          />
        </Field>
      )}
    </ProposalForm>
  );
}
