/** Number and interval of the sessions, and fields for each of them, because one is often different. */
import type { ErrorsOf } from '../../changes/proposal-form.tsx';
import { Field } from '../../ui/field.tsx';
import { changed, resized, sessionsOf, without, type Plan } from './plan.ts';
import { words } from './words.ts';

export interface SessionsFieldsProps {
  readonly plan: Plan;
  readonly errors: ErrorsOf;
  /** IANA name of the venue's time zone, if it differs from that of the business */
  readonly zone: string | null;
  readonly onChange: (plan: Plan) => void;
}

const MAX_ROWS = 100;
const EVERY = [1, 7, 14, 28] as const;

export function SessionsFields({ plan, errors, zone, onChange }: SessionsFieldsProps) {
  const all = sessionsOf(plan);
  return (
    <fieldset className="course-plan">
      <legend>{words.say('sessions')}</legend>
      {zone ? <p className="hint">{words.say('zone', { zone })}</p> : null}
      <div className="course-pair">
        <Field label={words.say('plan.count')} errors={errors('dates')}>
          <input
            type="number"
            min={1}
            max={MAX_ROWS}
            value={all.length}
            onChange={({ target }) => {
              const count = Math.trunc(Number(target.value));
              if (count >= 1 && count <= MAX_ROWS) onChange(resized(plan, count));
            }}
          />
        </Field>
        <Field label={words.say('plan.every')}>
          <select value={plan.every} onChange={({ target }) => onChange({ ...plan, every: Number(target.value) })}>
            {EVERY.map((days) => (
              <option key={days} value={days}>
                {words.say(`plan.every.${days}`)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <ol className="course-rows">
        {all.map((times, n) => {
          const wrong = [...errors(`dates.${n}.starts_at`), ...errors(`dates.${n}.ends_at`)];
          const label = (what: 'date' | 'from' | 'to'): string =>
            words.say('plan.of', { what: words.say(`plan.${what}`), n: n + 1 });
          const put = (what: 'date' | 'from' | 'to') => ({
            'aria-label': label(what),
            'aria-invalid': wrong.length > 0 || undefined,
            required: true,
            value: times[what],
            onChange: ({ target }: { target: HTMLInputElement }) =>
              onChange(changed(plan, n, { [what]: target.value })),
          });
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a session is its place in the order
            <li key={n}>
              <input type="date" name={`dates.${n}.starts_at`} {...put('date')} />
              <input type="time" {...put('from')} />
              <span aria-hidden="true">–</span>
              <input type="time" {...put('to')} />
              {n > 0 ? (
                <button
                  type="button"
                  className="plain"
                  aria-label={words.say('plan.remove.of', { n: n + 1 })}
                  onClick={() => onChange(without(plan, n))}
                >
                  {words.say('plan.remove')}
                </button>
              ) : null}
              {wrong.length > 0 ? <p className="error whole">{wrong.join(' ')}</p> : null}
            </li>
          );
        })}
      </ol>
    </fieldset>
  );
}
