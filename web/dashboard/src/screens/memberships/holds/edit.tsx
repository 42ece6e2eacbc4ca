/** The dates of one hold. Once it has begun, only its end can change. */
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { holdName, type HoldRead } from './read.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';

export interface EditHoldProps {
  readonly hold: HoldRead;
  readonly onClose: () => void;
}

export function EditHold({ hold, onClose }: EditHoldProps) {
  const { id: business } = useBusiness();
  const title = words.say('hold.edit.of', { name: holdName(hold) });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ start_date, end_date }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('hold.saved', { name: holdName(hold) }),
        call: () =>
          clientOf(business).call('PATCH /customer_membership_holds/{id}', {
            params: { id: hold.id },
            body: { ...(start_date && { start_date }), ...(end_date ? { end_date } : { make_open_ended: true }) },
          }),
      })}
    >
      {(errors) => (
        <>
          {hold.status === 'upcoming' ? (
            <Field label={words.say('field.start_date')} errors={errors('start_date')}>
              <input name="start_date" type="date" required defaultValue={hold.start_date} />
            </Field>
          ) : null}
          <Field
            label={words.say('field.last_day')}
            hint={words.say('hold.last_day.hint')}
            errors={[...errors('end_date'), ...errors('make_open_ended')]}
          >
            <input name="end_date" type="date" defaultValue={hold.end_date ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
