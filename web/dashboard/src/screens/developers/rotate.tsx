/** Replaces a secret; the old one still works for a while. */
import type { Call } from 'rollcall-sdk';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { words } from './words.ts';

export interface RotateProps<T> {
  readonly of: string;
  readonly call: (overlapHours: number) => Call<T, any, any, true>;
  readonly onClose: () => void;
  readonly onMade: (answer: T) => void;
}

const MAX_HOURS = 168;

export function Rotate<T>({ of, call, onClose, onMade }: RotateProps<T>) {
  return (
    <ProposalForm<T>
      title={words.say('rotate.title', { of })}
      onClose={onClose}
      onMade={onMade}
      proposal={({ overlap_hours }) => ({
        title: words.say('rotate.title', { of }),
        confirm: words.say('rotate'),
        about: <p>{words.say('rotate.about')}</p>,
        done: words.say('rotated'),
        call: () => call(Number(overlap_hours)),
      })}
    >
      {(errors) => (
        <Field label={words.say('rotate.hours')} errors={errors('overlap_hours')} hint={words.say('rotate.hint')}>
          <input name="overlap_hours" type="number" min={0} max={MAX_HOURS} defaultValue={24} />
        </Field>
      )}
    </ProposalForm>
  );
}
