/** Voids an invoice without payments: nothing of it remains due. */
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';
import type { Invoice } from './index.tsx';

export interface VoidInvoiceProps {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}

export function VoidInvoice({ invoice: { id, number }, onClose }: VoidInvoiceProps) {
  const { id: business } = useBusiness();
  const title = words.say('void.of', { number });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ reason = '' }) => ({
        title,
        confirm: words.say('void'),
        done: words.say('void.done', { number }),
        grave: true,
        call: () => clientOf(business).call('POST /invoices/{id}/void', { params: { id }, body: { reason } }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('void.about')}</p>
          <Field label={words.say('reason')} hint={words.say('reason.hint')} errors={errors('reason')}>
            <input name="reason" autoComplete="off" autoFocus />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
