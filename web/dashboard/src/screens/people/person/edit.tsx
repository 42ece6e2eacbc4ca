/** Edits the customer's own record. Changes by other people in the meantime are not overwritten. */
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useFormVersion } from '../../../app/versioned.ts';
import { nameOf } from '../../../app/customers.ts';
import { PERSON_FIELDS, usePerson } from './person.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { words } from './words.ts';

export function Edit({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const found = usePerson(id);
  const { opened, readAgain } = useFormVersion(found.data, found.refetch);
  if (!opened) return null;
  const { person: before, etag: version } = opened;
  return (
    <ProposalForm
      title={words.say('edit.of', { name: nameOf(before) })}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => ({
        title: words.say('edit.title', { name: nameOf(before) }),
        confirm: words.say('save'),
        done: words.say('edit.done'),
        call: () =>
          clientOf(business).call('PATCH /customers/{id}', {
            params: { id },
            ...(version && { ifMatch: version }),
            fields: PERSON_FIELDS,
            body: {
              first_name: typed.first_name ?? '',
              last_name: typed.last_name ?? '',
              date_of_birth: typed.date_of_birth || null,
              visibility: typed.hidden === undefined ? 'visible' : 'hidden',
              is_status_locked: typed.is_status_locked !== undefined,
            },
          }),
      })}
      readAgain={readAgain}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.first_name')} errors={errors('first_name')}>
            <input name="first_name" autoComplete="off" defaultValue={before.first_name ?? ''} autoFocus />
          </Field>
          <Field label={words.say('field.last_name')} errors={errors('last_name')}>
            <input name="last_name" autoComplete="off" defaultValue={before.last_name ?? ''} />
          </Field>
          <Field label={words.say('field.date_of_birth')} errors={errors('date_of_birth')}>
            <input name="date_of_birth" type="date" defaultValue={before.date_of_birth ?? ''} />
          </Field>
          <label className="box">
            <input name="hidden" type="checkbox" defaultChecked={before.visibility === 'hidden'} />{' '}
            {words.say('field.hidden')}
          </label>
          <label className="box">
            <input name="is_status_locked" type="checkbox" defaultChecked={before.is_status_locked} />{' '}
            {words.say('field.is_status_locked')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}
