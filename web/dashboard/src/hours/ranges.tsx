/** An input for times of a day: any number of ranges with start and end. */
import { Icon } from '../ui/icon.tsx';
import { words } from './words.ts';
import remove from 'icon:trash';

export interface Range {
  /** `09:00` */
  readonly start: string;
  /** on the next day if not after the start */
  readonly end: string;
}

/** The initial value of a new range. */
const USUAL: Range = { start: '09:00', end: '17:00' };

export interface RangesProps {
  /** subject of the ranges, such as a weekday */
  readonly label: string;
  readonly ranges: readonly Range[];
  readonly onChange: (ranges: readonly Range[]) => void;
  readonly errors?: readonly string[];
}

export function Ranges({ label, ranges, onChange, errors = [] }: RangesProps) {
  const set = (at: number, change: Partial<Range>): void =>
    onChange(ranges.map((range, n) => (n === at ? { ...range, ...change } : range)));
  return (
    <fieldset className="ranges">
      <legend>{label}</legend>
      {ranges.map(({ start, end }, n) => (
        <p key={n} className="range">
          <input
            type="time"
            required
            aria-label={words.say('range.start', { label })}
            value={start}
            onChange={({ target }) => set(n, { start: target.value })}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            required
            aria-label={words.say('range.end', { label })}
            value={end}
            onChange={({ target }) => set(n, { end: target.value })}
          />
          <button
            type="button"
            className="plain"
            aria-label={words.say('range.remove', { label, start, end })}
            onClick={() => onChange(ranges.filter((_, at) => at !== n))}
          >
            <Icon of={remove} />
          </button>
        </p>
      ))}
      <button
        type="button"
        className="plain"
        aria-label={words.say('range.add.to', { label })}
        onClick={() => onChange([...ranges, USUAL])}
      >
        {words.say('range.add')}
      </button>
      {errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
    </fieldset>
  );
}
