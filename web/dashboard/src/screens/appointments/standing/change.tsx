/**
 * Changes how long a standing booking continues. Bookings that no longer belong to it are cancelled, which the preview
 * shows.
 */
import { clientOf } from '../../../app/client.ts';
import { lengthOf, LengthFields } from './length-fields.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { whoseOf } from './labels.ts';
import { words } from '../words.ts';
import type { Standing } from './list.tsx';

export interface ChangeStandingProps {
  readonly standing: Standing;
  readonly onClose: () => void;
}

export function ChangeStanding({ standing, onClose }: ChangeStandingProps) {
  const { id: business } = useBusiness();
  const title = words.say('change.of', { name: whoseOf(standing) });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('saved'),
        call: () =>
          clientOf(business).call('PATCH /recurring_reservations/{id}', {
            params: { id: standing.id },
            body: lengthOf(typed),
          }),
      })}
    >
      {(errors) => (
        <LengthFields length={standing} errors={errors} waits={standing.offering_type?.schedule_type === 'class'} />
      )}
    </ProposalForm>
  );
}
