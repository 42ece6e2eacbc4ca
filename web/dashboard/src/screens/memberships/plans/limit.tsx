/**
 * The fields of one limit of an allotment: a number of uses per period, and exceptions for individual offering types.
 */
import { Field } from '../../../ui/field.tsx';
import { oneOf } from '../typed.ts';
import { useOfferings } from './offerings.ts';
import { words } from '../words.ts';
import type { ErrorsOf } from '../../../changes/proposal-form.tsx';

export const PERIODS = ['total', 'day', 'week', 'month', 'billing_period'] as const;

interface OwnLimit {
  /** id of the offering type */
  readonly offering: string;
  readonly max: string;
  /** in addition to the uses of the period, not part of them */
  readonly is_extra: boolean;
}

export interface Limit {
  readonly period: (typeof PERIODS)[number];
  /** empty: unlimited */
  readonly max: string;
  readonly rolls: string;
  readonly own: readonly OwnLimit[];
}

interface LimitFieldsProps {
  readonly at: number;
  readonly limit: Limit;
  /** periods that no other limit uses */
  readonly periods: readonly Limit['period'][];
  readonly errors: ErrorsOf;
  readonly onChange: (limit: Limit) => void;
  readonly onRemove: () => void;
}

export function LimitFields({ at, limit, periods, errors, onChange, onRemove }: LimitFieldsProps) {
  const offerings = useOfferings();
  const name = `period_limits.${at}`;
  const free = offerings.filter(({ id }) => !limit.own.some(({ offering }) => offering === String(id)));
  return (
    <>
      <div className="limit">
        <Field label={words.say('limit.period')} errors={errors(`${name}.period`)}>
          <select
            name={`${name}.period`}
            value={limit.period}
            onChange={({ target }) => onChange({ ...limit, period: oneOf(PERIODS, target.value) })}
          >
            {periods.map((one) => (
              <option key={one} value={one}>
                {words.say(`per.${one}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.say('limit.uses')} errors={errors(`${name}.max_uses`)}>
          <input
            name={`${name}.max_uses`}
            type="number"
            min={0}
            placeholder={words.say('limit.unlimited')}
            value={limit.max}
            onChange={({ target }) => onChange({ ...limit, max: target.value })}
          />
        </Field>
        {limit.period === 'total' ? null : (
          <Field label={words.say('limit.roll_over')} errors={errors(`${name}.roll_over`)}>
            <input
              name={`${name}.roll_over`}
              type="number"
              min={0}
              value={limit.rolls}
              onChange={({ target }) => onChange({ ...limit, rolls: target.value })}
            />
          </Field>
        )}
        <button type="button" className="plain" onClick={onRemove}>
          {words.say('limit.remove', { period: words.say(`per.${limit.period}`) })}
        </button>
      </div>
      {limit.own.map((own, j) => {
        const put = (next: Partial<OwnLimit>): void =>
          onChange({ ...limit, own: limit.own.with(j, { ...own, ...next }) });
        const said = offerings.find(({ id }) => String(id) === own.offering)?.name ?? own.offering;
        const of = `${name}.offering_type_limits.${j}`;
        return (
          <div key={own.offering} className="limit">
            <Field label={said} errors={[...errors(`${of}.max_uses`), ...errors(`${of}.offering_type`)]}>
              <input
                name={`${of}.max_uses`}
                type="number"
                min={0}
                value={own.max}
                onChange={({ target }) => put({ max: target.value })}
              />
            </Field>
            <label className="box">
              <input
                type="checkbox"
                checked={own.is_extra}
                onChange={({ target }) => put({ is_extra: target.checked })}
              />{' '}
              {words.say('limit.extra')}
            </label>
            <button
              type="button"
              className="plain"
              onClick={() => onChange({ ...limit, own: limit.own.toSpliced(j, 1) })}
            >
              {words.say('remove', { name: said })}
            </button>
          </div>
        );
      })}
      {free.length > 0 ? (
        <Field label={words.say('limit.own')} hint={words.say('limit.own.hint')}>
          <select
            value=""
            onChange={({ target }) =>
              onChange({ ...limit, own: [...limit.own, { offering: target.value, max: '1', is_extra: false }] })
            }
          >
            <option value="">{words.say('choose')}</option>
            {free.map(({ id, name: said }) => (
              <option key={id} value={id}>
                {said}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
    </>
  );
}
