/** Fields for how long a standing booking continues, and for the handling of dates that can't be booked. */
import type { ErrorsOf, Typed } from '../../../changes/proposal-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { words } from '../words.ts';

const ON_CONFLICT = ['skip', 'waitlist', 'fail'] as const;
type OnConflict = (typeof ON_CONFLICT)[number];

export interface Length {
  readonly end_date: string | null;
  readonly times: number | null;
  readonly on_conflict: OnConflict;
}

/** Returns the length in the format of the interface. */
export const lengthOf = ({ end_date, times, on_conflict }: Typed): Length => ({
  end_date: end_date || null,
  times: times ? Number(times) : null,
  on_conflict: ON_CONFLICT.find((one) => one === on_conflict) ?? 'skip',
});

export interface LengthFieldsProps {
  readonly length: Length;
  readonly errors: ErrorsOf;
  /** only classes have a waitlist */
  readonly waits: boolean;
}

export function LengthFields({ length, errors, waits }: LengthFieldsProps) {
  return (
    <>
      <div className="slot-pair">
        <Field label={words.say('end_date')} hint={words.say('end_date.hint')} errors={errors('end_date')}>
          <input name="end_date" type="date" defaultValue={length.end_date ?? ''} />
        </Field>
        <Field label={words.say('times')} hint={words.say('times.hint')} errors={errors('times')}>
          <input name="times" type="number" min={1} max={520} defaultValue={length.times ?? ''} />
        </Field>
      </div>
      <Field label={words.say('on_conflict')} errors={errors('on_conflict')}>
        <select name="on_conflict" defaultValue={length.on_conflict}>
          {ON_CONFLICT.filter((one) => waits || one !== 'waitlist').map((one) => (
            <option key={one} value={one}>
              {words.say(`on_conflict.${one}`)}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}
