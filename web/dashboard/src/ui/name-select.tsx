/** Lists of countries, languages and time zones by their names. */
import type { ComponentProps } from 'react';
import { countries, languages, nameIn, zoneName, zones, type Named } from '../words/names.ts';

const LISTS = {
  country: { all: countries, nameFor: (code: string) => nameIn('region', code) },
  language: { all: languages, nameFor: (code: string) => nameIn('language', code) },
  zone: { all: zones, nameFor: zoneName },
} as const;

export interface NameSelectProps extends Omit<ComponentProps<'select'>, 'defaultValue' | 'value'> {
  readonly of: keyof typeof LISTS;
  /** code that is chosen at first; empty: none */
  readonly initial: string;
  /** text of the choice of none; absent: one has to be chosen */
  readonly none?: string;
}

/** Keeps a code that the list doesn't have, such as the text of an import. */
export function NameSelect({ of, initial, none, ...select }: NameSelectProps) {
  const { all, nameFor } = LISTS[of];
  const listed = all();
  const own: readonly Named[] =
    initial === '' || listed.some(([code]) => code === initial) ? [] : [[initial, nameFor(initial)]];
  return (
    <select {...select} defaultValue={initial}>
      {none !== undefined || initial === '' ? <option value="">{none ?? ''}</option> : null}
      {[...own, ...listed].map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
