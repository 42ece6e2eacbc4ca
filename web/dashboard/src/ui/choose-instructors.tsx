/** Chooses some of the instructors: those who are chosen, and a field that finds others. */
import './choose-instructors.css';
import { useId, useState } from 'react';
import { Combobox } from './combobox.tsx';
import { Icon } from './icon.tsx';
import { ui } from './words.ts';
import cross from 'icon:x';
import type { Instructor } from '../app/places.ts';

export interface ChooseInstructorsProps {
  readonly label: string;
  readonly value: readonly number[];
  readonly of: readonly Instructor[];
  readonly errors?: readonly string[];
  readonly onChange: (ids: readonly number[]) => void;
}

const MOST_FOUND = 8;

export function ChooseInstructors({ label, value, of, errors = [], onChange }: ChooseInstructorsProps) {
  const id = useId();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = of.filter(({ id: one, name }) => !value.includes(one) && name.toLowerCase().includes(wanted));
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {value.length > 0 ? (
        <ul className="chosen-ones">
          {value.map((one) => {
            const name = of.find((instructor) => instructor.id === one)?.name ?? String(one);
            return (
              <li key={one}>
                {name}
                <button
                  type="button"
                  className="plain"
                  aria-label={ui.say('remove', { name })}
                  onClick={() => onChange(value.filter((other) => other !== one))}
                >
                  <Icon of={cross} />
                </button>
              </li>
            );
          })}
        </ul>
      ) : null}
      <Combobox
        id={id}
        label={label}
        placeholder={ui.say('instructors.add')}
        text={text}
        onText={setText}
        choices={
          wanted === ''
            ? []
            : found.slice(0, MOST_FOUND).map((one) => ({ key: String(one.id), label: one.name, id: one.id }))
        }
        onChoose={(choice) => {
          setText('');
          onChange([...value, choice.id]);
        }}
      />
      {errors.length > 0 ? (
        <p className="error" role="alert">
          {errors.join(' ')}
        </p>
      ) : null}
    </div>
  );
}
