/** A new standing booking: offering, venue, time and length; previews the outcome of each date before it is created. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { dateAt } from '../../../words/times.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { FindCustomer } from '../../../ui/find-customer.tsx';
import { lengthOf, LengthFields } from './length-fields.tsx';
import { nameOfWeekday, WEEKDAYS, type Weekday } from './labels.ts';
import { Previewed, type Move } from './previewed.tsx';
import { ProposalFields, type Typed } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePlaces, type Places } from '../../../app/places.ts';
import { words } from '../words.ts';

interface NewStandingProps {
  readonly onClose: () => void;
}

interface Someone {
  readonly id: number;
  readonly label: string;
}

export function NewStanding({ onClose }: NewStandingProps) {
  const { places, error } = usePlaces();
  const [someone, setSomeone] = useState<Someone | null>(null);
  return (
    <Dialog
      title={someone ? words.say('standing.new.for', { name: someone.label }) : words.say('standing.new')}
      onClose={onClose}
    >
      {!someone ? (
        <>
          <label htmlFor="standing-customer">{words.say('for')}</label>
          <FindCustomer id="standing-customer" label={words.say('for')} onChoose={setSomeone} autoFocus />
        </>
      ) : places ? (
        <Form someone={someone} places={places} onDone={onClose} />
      ) : error ? (
        <Failed error={error} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly someone: Someone;
  readonly places: Places;
  readonly onDone: () => void;
}

/** Returns true for schedule types that are not planned as a course. */
const isRepeated = ({ schedule_type }: { readonly schedule_type: string }): boolean => schedule_type !== 'course';

const options = (of: readonly { readonly id: number; readonly name: string }[]) =>
  of.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

const NOTHING = { end_date: null, times: 10, on_conflict: 'skip' } as const;

function Form({ someone: { id: customer, label: name }, places, onDone }: FormProps) {
  const { id: business, timezone } = useBusiness();
  const offerings = places.offerings.filter(isRepeated);
  const [typed, setTyped] = useState<Typed>({});
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [moved, setMoved] = useState<readonly Move[]>([]);
  const offering = offerings.find(({ id }) => String(id) === typed.offering_type) ?? offerings[0];
  const today = dateAt(Date.now(), timezone);
  const isClass = offering?.schedule_type === 'class';
  const isRental = offering?.schedule_type === 'room_rental';
  const venue = Number(typed.venue ?? places.venues[0]?.id ?? 0);
  const bodyOf = (from: Typed) => ({
    customer,
    offering_type: offering?.id ?? 0,
    venue: Number(from.venue ?? places.venues[0]?.id ?? 0),
    ...(isRental
      ? { venue_room: from.venue_room ? Number(from.venue_room) : null }
      : { instructor: from.instructor ? Number(from.instructor) : null }),
    weekday: WEEKDAYS.find((day) => day === from.weekday) ?? ('monday' as Weekday),
    ...(from.local_time && { local_time: from.local_time }),
    ...(from.start_date && { start_date: from.start_date }),
    ...lengthOf(from),
    comped: from.comped !== undefined,
    skipped_dates: [...skipped],
    ...(!isClass && { moved_dates: moved.filter(({ date }) => !skipped.includes(date)) }),
  });
  const read = (form: HTMLFormElement): void =>
    setTyped(Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value)])));
  return (
    // The preview follows the input of every field.
    <div onChange={({ target }) => target instanceof HTMLElement && read(target.closest('form')!)}>
      <ProposalFields
        onMade={onDone}
        proposal={(sent) => ({
          title: words.say('standing.new.for', { name }),
          confirm: words.say('standing.make'),
          done: words.say('standing.made', { name }),
          call: () => clientOf(business).call('POST /recurring_reservations', { body: bodyOf(sent) }),
        })}
      >
        {(errors) => (
          <>
            <Field label={words.say('what')} errors={errors('offering_type')}>
              <select name="offering_type">{options(offerings)}</select>
            </Field>
            <div className="slot-pair">
              <Field label={words.say('venue')} errors={errors('venue')}>
                <select name="venue">{options(places.venues)}</select>
              </Field>
              {isRental ? (
                <Field label={words.say('room')} errors={errors('venue_room')}>
                  <select name="venue_room">
                    <option value="">{words.say('room.any')}</option>
                    {options(places.rooms.filter((room) => room.venue === venue))}
                  </select>
                </Field>
              ) : (
                <Field label={words.say('with')} errors={errors('instructor')}>
                  <select name="instructor">
                    <option value="">{words.say('with.any')}</option>
                    {options(places.instructors)}
                  </select>
                </Field>
              )}
            </div>
            <div className="slot-pair">
              <Field label={words.say('weekday')} errors={errors('weekday')}>
                <select name="weekday">
                  {WEEKDAYS.map((day) => (
                    <option key={day} value={day}>
                      {nameOfWeekday(day)}
                    </option>
                  ))}
                </select>
              </Field>
              <Field label={words.say('time')} errors={errors('local_time')}>
                <input name="local_time" type="time" required />
              </Field>
            </div>
            <Field label={words.say('start_date')} errors={errors('start_date')}>
              <input name="start_date" type="date" min={today} defaultValue={today} />
            </Field>
            <LengthFields length={NOTHING} errors={errors} waits={isClass} />
            <label className="box">
              <input type="checkbox" name="comped" /> {words.say('comped')}
            </label>
            {typed.local_time ? (
              <Previewed
                body={bodyOf(typed)}
                instructors={places.instructors}
                skipped={skipped}
                moved={moved}
                onSkip={setSkipped}
                onMove={setMoved}
              />
            ) : (
              <p className="soft">{words.say('preview.next')}</p>
            )}
          </>
        )}
      </ProposalFields>
    </div>
  );
}
