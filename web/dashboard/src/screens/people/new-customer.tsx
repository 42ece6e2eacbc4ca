import { useNavigate } from '@tanstack/react-router';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export function NewCustomer({ onClose }: { readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const navigate = useNavigate();
  return (
    <ProposalForm<{ readonly id: number }>
      title={words.say('new')}
      submit={words.say('new.confirm')}
      onClose={onClose}
      onMade={({ id }) => void navigate({ to: `/${business}/people/${id}` as string })}
      proposal={({ first_name = '', last_name = '', email, date_of_birth, invite }) => ({
        title: words.say('new.title', { name: `${first_name} ${last_name}`.trim() }),
        confirm: words.say('new.confirm'),
        done: words.say('new.done', { name: `${first_name} ${last_name}`.trim() }),
        call: () =>
          clientOf(business).call('POST /customers', {
            body: {
              first_name,
              last_name,
              email: email || null,
              date_of_birth: date_of_birth || null,
              send_invitation_email: invite !== undefined && Boolean(email),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.first_name')} errors={errors('first_name')}>
            <input name="first_name" autoComplete="off" autoFocus required />
          </Field>
          <Field label={words.say('field.last_name')} errors={errors('last_name')}>
            <input name="last_name" autoComplete="off" required />
          </Field>
          <Field label={words.say('field.email')} errors={errors('email')}>
            <input name="email" type="email" autoComplete="off" />
          </Field>
          <Field label={words.say('field.date_of_birth')} errors={errors('date_of_birth')}>
            <input name="date_of_birth" type="date" />
          </Field>
          <label className="box">
            <input name="invite" type="checkbox" defaultChecked /> {words.say('new.invite')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}
