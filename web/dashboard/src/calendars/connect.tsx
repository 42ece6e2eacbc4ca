/** Connects a calendar by its secret address. */
import { clientOf } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { words } from './words.ts';

export interface ConnectProps {
  /** id of the owner; absent: the person chooses */
  readonly of?: number;
  readonly onClose: () => void;
}

export function Connect({ of, onClose }: ConnectProps) {
  const { id: business } = useBusiness();
  const people = useCall(
    'GET /staff',
    { query: { status: 'active', page_size: 100 }, fields: ['id', 'name'] },
    { enabled: of === undefined },
  );
  return (
    <ProposalForm
      title={words.say('connect')}
      submit={words.say('connect')}
      onClose={onClose}
      proposal={({ url = '', name, staff }) => ({
        title: words.say('connect'),
        done: words.say('connect.done'),
        call: () =>
          clientOf(business).call('POST /external_calendars/accounts', {
            body: { url, staff: of ?? Number(staff), ...(name && { name }) },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('url')} hint={words.say('url.hint')} errors={errors('url')}>
            <input name="url" type="url" autoComplete="off" autoFocus />
          </Field>
          <Field label={words.say('name')} hint={words.say('name.hint')} errors={errors('name')}>
            <input name="name" autoComplete="off" />
          </Field>
          {of === undefined ? (
            <Field label={words.say('whose')} errors={errors('staff')}>
              <select name="staff">
                {people.data?.results.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}
