/** A select whose choices may load after it: a saved value, or one that was chosen meanwhile, stays chosen. */
import { useState } from 'react';
import { ui } from './words.ts';

export interface ListSelectProps {
  readonly name: string;
  /** the saved value; empty: none, or else the first choice */
  readonly initial?: string;
  /** value and text of each choice; none while they are loading */
  readonly choices: readonly (readonly [string, string])[];
  /** text of the choice of nothing; absent if something must be chosen */
  readonly none?: string;
}

/** Passes everything else to the select, so that it can be the input of a `Field`. */
export function ListSelect({ name, initial = '', choices, none, ...select }: ListSelectProps) {
  const [value, setValue] = useState(initial);
  const isListed = value === '' || choices.some(([one]) => one === value);
  return (
    <select {...select} name={name} value={value} onChange={({ target }) => setValue(target.value)}>
      {none === undefined ? null : <option value="">{none}</option>}
      {isListed ? null : <option value={value}>{ui.say('saved_choice')}</option>}
      {choices.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
