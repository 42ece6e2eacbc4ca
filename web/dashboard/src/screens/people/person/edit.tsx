/** Edits the customer's own record. Changes by other people in the meantime are not overwritten. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { useBusiness } from '../../../app/business.ts';
import { LastChange } from '../../../ui/history/index.tsx';
import { nameOf } from '../../../app/customers.ts';
import { PERSON_FIELDS, usePerson } from './person.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { words } from './words.ts';

export function Edit({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const found = usePerson(id);
  // The version when the form was opened: later updates must not count as seen.
  const [version, setVersion] = useState(() => found.data?.etag ?? null);
  const person = found.data?.person;
  const [before, setBefore] = useState(person);
  if (!person || !before) return null;
  const readAgain = async (form: HTMLFormElement | null, again: () => void): Promise<void> => {
    const { data } = await found.refetch();
    if (!data) return;
    setVersion(data.etag);
    // Untouched fields show the current values; typed text is kept.
    for (const name of ['first_name', 'last_name', 'date_of_birth'] as const) {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.value === (before[name] ?? ''))
        field.value = data.person[name] ?? '';
    }
    setBefore(data.person);
    again();
  };
  return (
    <ProposalForm
      title={words.say('edit.of', { name: nameOf(before) })}
      onClose={onClose}
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
      next={({ code }, again) =>
        code === 'version_mismatch' ? (
          <>
            <LastChange object="customer" id={id} />
            <button
              type="button"
              className="second"
              onClick={(event) => void readAgain(event.currentTarget.form, again)}
            >
              {words.say('edit.again')}
            </button>
          </>
        ) : null
      }
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
