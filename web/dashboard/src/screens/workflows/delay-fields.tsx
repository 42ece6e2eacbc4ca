import { Field } from '../../ui/field.tsx';
import { UNITS, type Delay, type Unit } from './delay.ts';
import { words } from './words.ts';

export interface DelayProps {
  readonly delay: Delay;
  readonly onDelay: (delay: Delay) => void;
  readonly errors: readonly string[];
}

export function DelayFields({ delay, onDelay, errors }: DelayProps) {
  if (delay !== null && 'iso' in delay)
    return (
      <Field label={words.say('flow.wait')} errors={errors} hint={words.say('delay.iso.hint')}>
        <input
          name="scheduled_delay"
          value={delay.iso}
          onChange={({ target: { value } }) => onDelay(value === '' ? null : { iso: value })}
        />
      </Field>
    );
  const { n, unit } = delay ?? { n: 0, unit: 'D' as Unit };
  return (
    <div className="pair">
      <Field label={words.say('delay.after')} errors={errors}>
        <input
          name="scheduled_delay"
          type="number"
          min={0}
          max={10_000}
          value={n}
          onChange={({ target: { value } }) => onDelay({ n: Math.max(0, Math.trunc(Number(value))), unit })}
        />
      </Field>
      <Field label={words.say('delay.unit')}>
        <select
          value={unit}
          onChange={({ target: { value } }) => onDelay({ n, unit: UNITS.find((one) => one === value) ?? 'D' })}
        >
          {UNITS.map((one) => (
            <option key={one} value={one}>
              {words.say(`unit.${one}`)}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}
