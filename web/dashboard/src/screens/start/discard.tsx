import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { FormProps } from './forms.tsx';

/** Deletes a test business and all its data. The name must be typed, to prevent accidents. */
export function Discard({ onClose }: FormProps) {
  const { id, name } = useBusiness();
  return (
    <ProposalForm
      title={words.say('discard', { name })}
      onClose={onClose}
      onMade={() => location.assign('/dashboard')}
      proposal={({ name: typed = '' }) => ({
        title: words.say('discard', { name }),
        done: words.say('discard.done', { name }),
        grave: true,
        call: () => clientOf(id).call('POST /providers/{id}/discard', { params: { id }, body: { name: typed } }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('discard.about')}</p>
          <Field label={words.say('discard.name', { name })} errors={errors('name')}>
            <input name="name" autoComplete="off" required />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
