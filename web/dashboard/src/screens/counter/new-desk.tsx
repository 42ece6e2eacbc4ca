/** Creates a payment method for the desk. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export function NewDesk({ kind, onClose }: { readonly kind: 'drawer' | 'other'; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say(`desk.${kind}`);
  return (
    <ProposalForm
      title={title}
      submit={title}
      onClose={onClose}
      proposal={({ name = '' }) => ({
        title,
        done: words.say('desk.done', { name }),
        call: () =>
          clientOf(business).call('POST /payment_processors', {
            body: { kind: 'offline', name, ...(kind === 'drawer' && { settings: { cash_drawer: 'yes' } }) },
          }),
      })}
    >
      {(errors) => (
        <Field label={words.say('desk.name')} hint={words.say(`desk.${kind}.hint`)} errors={errors('name')}>
          <input name="name" autoComplete="off" required defaultValue={words.say(`desk.${kind}.usual`)} />
        </Field>
      )}
    </ProposalForm>
  );
}
