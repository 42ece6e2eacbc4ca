/** Cancels a whole series. The preview shows what customers lose, and what they get back. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { nameOfRun } from './labels.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { Run } from './read.ts';

export function CancelDates({ run, onClose }: { readonly run: Run; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say('dates.cancel.of', { name: nameOfRun(run) });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ message }) => ({
        title,
        confirm: words.say('dates.cancel'),
        done: words.say('dates.cancelled', { name: nameOfRun(run) }),
        grave: true,
        call: () =>
          clientOf(business).call('POST /course_date_series/{id}/cancel', {
            params: { id: run.id },
            body: { message: message || null },
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('dates.cancel.about')}</p>
          <Field label={words.say('message')} hint={words.say('message.hint')} errors={errors('message')}>
            <textarea name="message" rows={3} maxLength={5000} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
