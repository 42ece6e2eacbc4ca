/** Ends a standing booking. The preview shows which bookings are cancelled, and which of them late. */
import { clientOf } from '../../../app/client.ts';
import { dateAt } from '../../../words/times.ts';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { whoseOf } from './labels.ts';
import { words } from '../words.ts';
import type { Standing } from './list.tsx';

export interface EndStandingProps {
  readonly standing: Standing;
  readonly onClose: () => void;
}

export function EndStanding({ standing, onClose }: EndStandingProps) {
  const { id: business, timezone } = useBusiness();
  const today = dateAt(Date.now(), standing.venue?.timezone ?? timezone);
  const title = words.say('end.of', { name: whoseOf(standing) });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ from, keep }) => ({
        title,
        confirm: words.say('end'),
        done: words.say('ended'),
        grave: true,
        call: () =>
          clientOf(business).call('POST /recurring_reservations/{id}/end', {
            params: { id: standing.id },
            body: { ...(from && { from }), keep_bookings: keep !== undefined },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('end.from')} hint={words.say('end.from.hint')} errors={errors('from')}>
            <input name="from" type="date" min={today} defaultValue={today} />
          </Field>
          <label className="box">
            <input type="checkbox" name="keep" /> {words.say('end.keep')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}
