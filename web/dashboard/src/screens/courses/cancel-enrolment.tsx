/** Ends an enrolment with its upcoming bookings, and sets whether these are refunded. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { whoseOf } from './labels.ts';
import { words } from './words.ts';
import type { EnrolmentRead } from './enrolled.tsx';

const REFUND: Readonly<Record<string, boolean | null>> = { rule: null, yes: true, no: false };

export interface CancelEnrolmentProps {
  readonly enrolment: EnrolmentRead;
  readonly onClose: () => void;
}

export function CancelEnrolment({ enrolment, onClose }: CancelEnrolmentProps) {
  const { id: business } = useBusiness();
  const name = whoseOf(enrolment.customer);
  const title = words.say('enrolment.cancel.of', { name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ refund = 'rule' }) => ({
        title,
        confirm: words.say('enrolment.cancel'),
        done: words.say('enrolment.cancelled', { name }),
        grave: true,
        call: () =>
          clientOf(business).call('POST /course_enrollments/{id}/cancel', {
            params: { id: enrolment.id },
            body: { refund: REFUND[refund] },
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('enrolment.cancel.about')}</p>
          <Field label={words.say('refund')} errors={errors('refund')}>
            <select name="refund">
              {(['rule', 'yes', 'no'] as const).map((one) => (
                <option key={one} value={one}>
                  {words.say(`refund.${one}`)}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
