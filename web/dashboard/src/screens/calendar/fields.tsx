/** The fields of an event, for a new one and for a change. */
import { Check } from './ask.tsx';
import { ChooseInstructors } from '../../ui/instructors/choose-instructors.tsx';
import { Field } from '../../ui/field.tsx';
import { locale } from '../../words/language.ts';
import { endAfter, NEW_CLASS, VISIBILITIES, WEEKDAYS, type Draft, type Visibility, type Weekday } from './draft.ts';
import { words } from './words.ts';
import type { Places } from '../../app/places.ts';

export interface FieldsProps {
  readonly draft: Draft;
  readonly places: Places;
  readonly errors: Readonly<Partial<Record<keyof Draft, readonly string[]>>>;
  /** true for a new event; an existing one keeps its offering type and its rule */
  readonly isNew: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

type Named = { readonly id: number; readonly name: string };

const options = (of: readonly Named[]) =>
  of.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

/** Appointments are created by booking and course sessions by the plan of a course, so they are not scheduled here. */
export const isScheduled = ({ schedule_type }: { readonly schedule_type: string }): boolean =>
  schedule_type === 'class';

export function Fields({ draft, places, errors, isNew, onChange }: FieldsProps) {
  const { venues, rooms, offerings } = places;
  const zone = venues.find(({ id }) => String(id) === draft.venue)?.timezone;
  const several = new Set(venues.map(({ timezone }) => timezone)).size > 1;
  const chooseOffering = (id: string): void => {
    const [before, next] = [draft.offering, id].map((one) => offerings.find((offering) => String(offering.id) === one));
    const named = draft.name !== '' && draft.name !== before?.name;
    const taught = draft.instructors.length > 0;
    onChange({
      offering: id,
      ...(!named && { name: next?.name ?? '' }),
      ...(!taught && next?.instructors.length === 1 && { instructors: [next.instructors[0].id] }),
    });
  };
  const classes = offerings.filter(isScheduled);
  const calls = venues.filter(({ is_online }) => is_online);
  const isOnline = calls.some(({ id }) => String(id) === draft.venue);
  const inVenue = rooms.filter(({ venue }) => String(venue) === draft.venue);
  return (
    <>
      {isNew && classes.length > 0 ? (
        <Field label={words.say('offering')} errors={errors.offering}>
          <select required value={draft.offering} onChange={({ target }) => chooseOffering(target.value)}>
            <option value="" />
            <option value={NEW_CLASS}>{words.say('new_class')}</option>
            {options(classes)}
          </select>
        </Field>
      ) : null}
      <Field label={words.say('name')} errors={errors.name}>
        <input
          required
          maxLength={200}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
      {isNew ? <Repeats draft={draft} onChange={onChange} /> : null}
      <div className="pair">
        <Field label={words.say(draft.weekdays.length > 0 ? 'first' : 'date')} errors={errors.date}>
          <input type="date" required value={draft.date} onChange={({ target }) => onChange({ date: target.value })} />
        </Field>
        {draft.weekdays.length > 0 ? (
          <Field label={words.say('until')} hint={words.say('until.hint')} errors={errors.until}>
            <input type="date" value={draft.until} onChange={({ target }) => onChange({ until: target.value })} />
          </Field>
        ) : null}
      </div>
      <div className="pair">
        <Field label={words.say('start')} errors={errors.start} hint={several ? zone : undefined}>
          <input
            type="time"
            required
            value={draft.start}
            onChange={({ target }) => onChange({ start: target.value, end: endAfter(draft, target.value) })}
          />
        </Field>
        <Field
          label={words.say('end')}
          errors={errors.end}
          hint={draft.end !== '' && draft.end <= draft.start ? words.say('next_day') : undefined}
        >
          <input type="time" required value={draft.end} onChange={({ target }) => onChange({ end: target.value })} />
        </Field>
      </div>
      <div className="pair">
        <Field label={words.say('places')} hint={words.say('places.hint')} errors={errors.places}>
          <input
            type="number"
            min={1}
            value={draft.places}
            onChange={({ target }) => onChange({ places: target.value })}
          />
        </Field>
        <Field label={words.say('waitlist')} hint={words.say('waitlist.hint')} errors={errors.waitlist}>
          <input
            type="number"
            min={0}
            value={draft.waitlist}
            onChange={({ target }) => onChange({ waitlist: target.value })}
          />
        </Field>
      </div>
      {isNew && draft.offering === NEW_CLASS ? (
        <div className="pair">
          <Field label={words.say('visibility')}>
            <select
              value={draft.visibility}
              onChange={({ target }) => onChange({ visibility: target.value as Visibility })}
            >
              {VISIBILITIES.map((one) => (
                <option key={one} value={one}>
                  {words.say(`visibility.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.say('dropin')} hint={words.say('dropin.hint')} errors={errors.dropin}>
            <input
              inputMode="decimal"
              autoComplete="off"
              value={draft.dropin}
              onChange={({ target }) => onChange({ dropin: target.value })}
            />
          </Field>
        </div>
      ) : null}
      <div className="pair">
        <Field label={words.say('venue')} errors={errors.venue}>
          <select required value={draft.venue} onChange={({ target }) => onChange({ venue: target.value, room: '' })}>
            <option value="" />
            {options(venues)}
          </select>
        </Field>
        <Field label={words.say('room')} errors={errors.room}>
          <select value={draft.room} onChange={({ target }) => onChange({ room: target.value })}>
            <option value="">{words.say('room.none')}</option>
            {options(inVenue)}
          </select>
        </Field>
      </div>
      {(calls.length > 0 && !isOnline) || draft.call !== '' ? (
        <div className="pair">
          <Field label={words.say('online')} hint={words.say('online.hint')} errors={errors.call}>
            <select value={draft.call} onChange={({ target }) => onChange({ call: target.value })}>
              <option value="">{words.say('online.none')}</option>
              {options(calls)}
            </select>
          </Field>
          {draft.call === '' ? null : (
            <Field label={words.say('online.places')} errors={errors.callPlaces}>
              <input
                type="number"
                min={1}
                required
                value={draft.callPlaces}
                onChange={({ target }) => onChange({ callPlaces: target.value })}
              />
            </Field>
          )}
        </div>
      ) : null}
      <ChooseInstructors
        label={words.say('instructors')}
        value={draft.instructors}
        of={places.instructors}
        errors={errors.instructors}
        onChange={(instructors) => onChange({ instructors })}
      />
    </>
  );
}

/** 2024-01-01 was a Monday. */
const nameOfWeekday = (day: Weekday): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)),
  );

function Repeats({ draft, onChange }: Pick<FieldsProps, 'draft' | 'onChange'>) {
  const chosen = draft.weekdays;
  const toggle = (day: Weekday): void =>
    onChange({ weekdays: chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day] });
  return (
    <fieldset>
      <legend>{words.say('repeat')}</legend>
      <div className="weekdays">
        {WEEKDAYS.map((day) => (
          <Check key={day} label={nameOfWeekday(day)} checked={chosen.includes(day)} onChange={() => toggle(day)} />
        ))}
      </div>
    </fieldset>
  );
}
