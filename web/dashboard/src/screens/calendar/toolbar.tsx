/** The choice of dates and filters, all of it stored in the address. */
import { memo } from 'react';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { stepDate, VIEWS, type View } from './range.ts';
import type { Places } from '../../app/places.ts';
import { words } from './words.ts';
import left from 'icon:chevron-left';
import right from 'icon:chevron-right';

export interface ToolbarProps {
  readonly view: View;
  readonly date: string;
  readonly today: string;
  readonly by: 'room' | 'instructor';
  readonly venue: number | null;
  readonly offering: number | null;
  readonly untaught: boolean;
  readonly places: Places | null;
  readonly onChange: (change: Readonly<Record<string, string | undefined>>) => void;
}

export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { view, date, today, by, venue, offering, untaught, places, onChange } = props;
  return (
    <div className="tools calendar-tools">
      <div className="steps">
        <button
          type="button"
          className="second"
          aria-label={words.say('before')}
          onClick={() => onChange({ date: stepDate(view, date, -1, untaught) })}
        >
          <Icon of={left} />
        </button>
        <button
          type="button"
          className="second"
          onClick={() => onChange({ date: undefined })}
          disabled={date === today}
        >
          {words.say('today')}
        </button>
        <button
          type="button"
          className="second"
          aria-label={words.say('after')}
          onClick={() => onChange({ date: stepDate(view, date, 1, untaught) })}
        >
          <Icon of={right} />
        </button>
      </div>
      <Field label={words.say('date')}>
        <input
          type="date"
          value={date}
          onChange={({ target }) =>
            target.value !== '' && onChange({ date: target.value === today ? undefined : target.value })
          }
        />
      </Field>
      <Field label={words.say('view')}>
        <select value={view} onChange={({ target }) => onChange({ view: target.value })}>
          {VIEWS.map((one) => (
            <option key={one} value={one}>
              {words.say(`view.${one}`)}
            </option>
          ))}
        </select>
      </Field>
      {view === 'resources' ? (
        <Field label={words.say('by')}>
          <select value={by} onChange={({ target }) => onChange({ by: target.value })}>
            <option value="room">{words.say('by.room')}</option>
            <option value="instructor">{words.say('by.instructor')}</option>
          </select>
        </Field>
      ) : null}
      {places && places.venues.length > 1 ? (
        <Choose
          label={words.say('venue')}
          all={words.say('all')}
          of={places.venues}
          value={venue}
          onChange={(value) => onChange({ venue: value })}
        />
      ) : null}
      {places && places.offerings.length > 1 ? (
        <Choose
          label={words.say('offering')}
          all={words.say('all')}
          of={places.offerings}
          value={offering}
          onChange={(value) => onChange({ offering: value })}
        />
      ) : null}
      <Field label={words.say('instructors')}>
        <select
          value={untaught ? 'none' : ''}
          onChange={({ target }) => onChange({ instructor: target.value || undefined })}
        >
          <option value="">{words.say('all')}</option>
          <option value="none">{words.say('instructor.none')}</option>
        </select>
      </Field>
    </div>
  );
});

interface ChooseProps {
  readonly label: string;
  readonly all: string;
  readonly of: readonly { readonly id: number; readonly name: string }[];
  readonly value: number | null;
  readonly onChange: (value: string) => void;
}

function Choose({ label, all, of, value, onChange }: ChooseProps) {
  return (
    <Field label={label}>
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        {of.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
