/** Fields that several forms of this screen share. */
import type { ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';

interface BoxProps {
  readonly name: string;
  readonly label: ReactNode;
  readonly checked?: boolean;
  readonly onTurn?: (on: boolean) => void;
}

export function Box({ name, label, checked = false, onTurn }: BoxProps) {
  return (
    <label className="box">
      <input type="checkbox" name={name} defaultChecked={checked} onChange={({ target }) => onTurn?.(target.checked)} />{' '}
      {label}
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly (readonly [value: string | number, said: string])[];
  readonly value?: string | number;
  readonly errors?: readonly string[];
  readonly onChoose?: (value: string) => void;
}

export function Choice({ name, label, hint, choices, value, errors, onChoose }: ChoiceProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      <select name={name} defaultValue={value} onChange={({ target }) => onChoose?.(target.value)}>
        {choices.map(([one, said]) => (
          <option key={one} value={one}>
            {said}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface BoxesProps {
  readonly legend: string;
  readonly hint?: string;
  readonly errors?: readonly string[];
  readonly children: ReactNode;
}

/** A group of checkboxes that belong together. */
export function Boxes({ legend, hint, errors = [], children }: BoxesProps) {
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      {hint ? <p className="hint">{hint}</p> : null}
      {errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
      {children}
    </fieldset>
  );
}
