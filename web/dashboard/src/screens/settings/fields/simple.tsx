/** Fields for a single value, with one input. */
import { useId, useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { ListSelect } from '../../../ui/list-select.tsx';
import { choiceOf, hintFor, labelOf, labelForNone, words } from '../words.ts';
import { LIFETIME_UNITS, unitOf, UNITS } from '../values.ts';
import { NameSelect } from '../../../ui/name-select.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useList } from '../call.ts';
import type { FieldOf } from './field-of.ts';

/** Attributes that make browsers help with the input. */
const INPUTS = {
  text: {},
  email: { type: 'email' },
  tel: { type: 'tel' },
  secret: { type: 'password' },
  time: { type: 'time' },
  date: { type: 'date' },
  number: { inputMode: 'numeric' },
  decimal: { inputMode: 'decimal' },
  money: { inputMode: 'decimal' },
  percent: { inputMode: 'decimal' },
  numbers: {},
  amounts: {},
} as const;

export type InputKind = keyof typeof INPUTS;

export function Input({ form, setting, typed, errors }: FieldOf) {
  const { currency } = useBusiness();
  const { name, kind } = setting;
  const label = labelOf(form, setting);
  return (
    <Field
      label={
        kind === 'money' || kind === 'amounts' ? `${label} (${currency})` : kind === 'percent' ? `${label} (%)` : label
      }
      hint={hintFor(form, setting)}
      errors={errors(name)}
    >
      <input name={name} autoComplete="off" defaultValue={typed[name]} {...INPUTS[kind as InputKind]} />
    </Field>
  );
}

export function Long({ form, setting, typed, errors }: FieldOf) {
  return (
    <Field label={labelOf(form, setting)} hint={hintFor(form, setting)} errors={errors(setting.name)}>
      <textarea name={setting.name} rows={4} defaultValue={typed[setting.name]} />
    </Field>
  );
}

export function Switch({ form, setting, typed, errors }: FieldOf) {
  const id = useId();
  const hint = hintFor(form, setting);
  const wrong = errors(setting.name);
  return (
    <div className="field">
      <label className="box">
        <input
          type="checkbox"
          name={setting.name}
          defaultChecked={typed[setting.name] !== undefined}
          aria-describedby={id}
          aria-invalid={wrong.length > 0 || undefined}
        />{' '}
        {labelOf(form, setting)}
      </label>
      <div id={id} className="setting-under">
        {hint ? <p className="hint">{hint}</p> : null}
        {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      </div>
    </div>
  );
}

export function Choice({ form, setting, typed, errors }: FieldOf) {
  const { name, choices = [], nullable } = setting;
  return (
    <Field label={labelOf(form, setting)} hint={hintFor(form, setting)} errors={errors(name)}>
      <select name={name} defaultValue={typed[name]}>
        {nullable ? <option value="">{labelForNone(setting)}</option> : null}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choiceOf(form, setting, choice)}
          </option>
        ))}
      </select>
    </Field>
  );
}

const named =
  (of: 'country' | 'language' | 'zone') =>
  ({ form, setting, typed, errors }: FieldOf) => {
    const { timezone } = useBusiness();
    const chosen = typed[setting.name] || (of === 'zone' ? timezone : '');
    return (
      <Field label={labelOf(form, setting)} hint={hintFor(form, setting)} errors={errors(setting.name)}>
        <NameSelect
          name={setting.name}
          of={of}
          initial={chosen}
          {...(of === 'country' && { none: words.say('none') })}
        />
      </Field>
    );
  };

export const Country = named('country');
export const Language = named('language');
export const Zone = named('zone');

interface UnitProps extends FieldOf {
  readonly units: readonly ((typeof UNITS)[number] | (typeof LIFETIME_UNITS)[number])[];
  readonly usual: string;
}

/** A number, in a unit that the person chooses. */
function InUnit({ form, setting, typed, errors, units, usual }: UnitProps) {
  const { name } = setting;
  const label = labelOf(form, setting);
  return (
    <div className="setting-pair">
      <Field label={label} hint={hintFor(form, setting)} errors={errors(name)}>
        <input name={name} inputMode="numeric" autoComplete="off" defaultValue={typed[name]} />
      </Field>
      <select
        name={unitOf(name)}
        aria-label={words.say('unit', { of: label })}
        defaultValue={typed[unitOf(name)] ?? usual}
      >
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {words.say(`unit.${unit}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

export const Minutes = (props: FieldOf) => <InUnit {...props} units={UNITS} usual="60" />;
export const Lifetime = (props: FieldOf) => <InUnit {...props} units={LIFETIME_UNITS} usual="Y" />;

const HEX = /^#[0-9a-f]{6}$/i;

/** A text input, because the value may be empty; the browser's color picker writes into it. */
export function Color({ form, setting, typed, errors }: FieldOf) {
  const [value, setValue] = useState(typed[setting.name] ?? '');
  const label = labelOf(form, setting);
  return (
    <div className="setting-pair">
      <Field label={label} hint={hintFor(form, setting)} errors={errors(setting.name)}>
        <input
          name={setting.name}
          autoComplete="off"
          placeholder="#1a5fb4"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </Field>
      <input
        type="color"
        aria-label={words.say('pick', { of: label })}
        value={HEX.test(value) ? value : '#1a5fb4'}
        onChange={(event) => setValue(event.target.value)}
      />
    </div>
  );
}

/** A choice of one of the business's objects. */
export function One({ form, setting, typed, errors }: FieldOf) {
  const { name, from, nullable } = setting;
  const { data } = useList(from!);
  const chosen = typed[name] ?? '';
  return (
    <Field label={labelOf(form, setting)} hint={hintFor(form, setting)} errors={errors(name)}>
      <ListSelect
        name={name}
        initial={chosen}
        choices={(data ?? []).map(({ id, name: label }) => [String(id), label ?? String(id)])}
        // The only room or venue that there is needn't be chosen.
        {...((nullable || (chosen === '' && data?.length !== 1)) && { none: words.say('none') })}
      />
    </Field>
  );
}
