/**
 * A choice of several instructors: the chosen ones, and a field that finds others. Super admins also find staff members
 * who are not instructors yet, for example themselves, and can make them instructors.
 */
import './choose-instructors.css';
import { useId, useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Combobox } from '../combobox.tsx';
import { Icon } from '../icon.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { ui } from '../words.ts';
import { words } from './words.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import cross from 'icon:x';
import type { Instructor } from '../../app/places.ts';

export interface ChooseInstructorsProps {
  readonly label: string;
  readonly value: readonly number[];
  readonly of: readonly Instructor[];
  readonly errors?: readonly string[];
  readonly onChange: (ids: readonly number[]) => void;
}

const MAX_FOUND = 8;
const MAX_STAFF = 200;

/** Finds staff members who are not instructors; nobody for people who can't change that. */
function useOthers(instructors: readonly Instructor[]) {
  const business = useBusiness();
  const enabled = may(business, 'super_admin');
  const all = { query: { status: 'active', page_size: MAX_STAFF } } as const;
  const staff = useCall('GET /staff', { ...all, fields: ['id', 'name'] }, { enabled });
  const known = useCall('GET /instructors', { query: { page_size: MAX_STAFF }, fields: ['id', 'staff'] }, { enabled });
  const taken = new Set(known.data?.results.map(({ staff: one }) => one));
  // Until both are loaded, existing instructors could be offered again.
  if (!staff.data || !known.data || instructors.length > MAX_STAFF) return [];
  return staff.data.results.filter(({ id }) => !taken.has(id));
}

export function ChooseInstructors({ label, value, of, errors = [], onChange }: ChooseInstructorsProps) {
  const id = useId();
  const { id: business } = useBusiness();
  const propose = usePropose();
  const others = useOthers(of);
  const [made, setMade] = useState<readonly Instructor[]>([]);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = of.filter(({ id: one, name }) => !value.includes(one) && name.toLowerCase().includes(wanted));
  const called = (one: number): string => [...of, ...made].find(({ id: known }) => known === one)?.name ?? String(one);
  const make = async (staff: number, name: string): Promise<void> => {
    const outcome = await propose({
      title: words.say('make', { name }),
      done: words.say('made', { name }),
      call: () => clientOf(business).call('POST /instructors', { body: { staff, name } }),
    });
    if (!outcome.made) return;
    setMade([...made, { id: outcome.answer.id, name }]);
    onChange([...value, outcome.answer.id]);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {value.length > 0 ? (
        <ul className="chosen-ones">
          {value.map((one) => {
            const name = called(one);
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
        placeholder={words.say('add')}
        text={text}
        onText={setText}
        choices={
          wanted === ''
            ? []
            : [
                ...found.map((one) => ({ key: String(one.id), label: one.name, id: one.id, isStaff: false })),
                ...others
                  .filter(({ name }) => name.toLowerCase().includes(wanted))
                  .map((one) => ({
                    key: `staff ${one.id}`,
                    label: one.name,
                    more: words.say('not_yet'),
                    id: one.id,
                    isStaff: true,
                  })),
              ].slice(0, MAX_FOUND)
        }
        onChoose={(choice) => {
          setText('');
          if (choice.isStaff) void make(choice.id, choice.label);
          else onChange([...value, choice.id]);
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
