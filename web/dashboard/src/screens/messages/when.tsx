import { Field } from '../../ui/field.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { When } from './draft.ts';

export interface WhenProps {
  readonly when: When;
  readonly onWhen: (when: When) => void;
  readonly errors: readonly string[];
}

const HOW = ['now', 'at', 'local'] as const;

export function WhenIsIt({ when, onWhen, errors }: WhenProps) {
  const { timezone } = useBusiness();
  const time = when.how === 'now' ? '' : when.time;
  return (
    <fieldset>
      <legend>{words.say('when')}</legend>
      {HOW.map((how) => (
        <label key={how} className="box">
          <input
            type="radio"
            name="when"
            checked={when.how === how}
            onChange={() => onWhen(how === 'now' ? { how } : { how, time })}
          />{' '}
          {words.say(`when.${how}`, { zone: timezone })}
        </label>
      ))}
      {when.how === 'now' ? null : (
        <Field label={words.say('when.time')} errors={errors}>
          <input
            type="datetime-local"
            value={time}
            onChange={({ target: { value } }) => onWhen({ how: when.how, time: value })}
          />
        </Field>
      )}
      {when.how === 'now' && errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
    </fieldset>
  );
}
