/** The form of a date series: a new one with all its sessions, an existing one without. */
import { useState } from 'react';
import { ChooseInstructors } from '../../ui/instructors/choose-instructors.tsx';
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { daysAfter } from '../../app/days.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { datesOf, weekly } from './plan.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { RulesFields, rulesOf, SERIES_FIELDS, type Rules } from './rules-fields.tsx';
import { SessionsFields } from './sessions-fields.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePlaces, type Places } from '../../app/places.ts';
import { useFormVersion, useVersioned } from '../../app/versioned.ts';
import { words } from './words.ts';

interface NewDatesProps {
  readonly course: number;
  readonly onClose: () => void;
  readonly onMade: (series: number) => void;
}

export function NewDates(props: NewDatesProps) {
  const { places, error } = usePlaces();
  if (places) return <Form {...props} places={places} />;
  return (
    <Dialog title={words.say('dates.new')} onClose={props.onClose}>
      {error ? <Failed error={error} /> : <Loading />}
    </Dialog>
  );
}

const USUAL = 8;

function Form({ course, places, onClose, onMade }: NewDatesProps & { readonly places: Places }) {
  const { id: business, timezone } = useBusiness();
  const { venues } = places;
  const [venue, setVenue] = useState(venues[0]?.id ?? 0);
  const [instructors, setInstructors] = useState<readonly number[]>([]);
  const [plan, setPlan] = useState(() =>
    weekly({ date: daysAfter(dateAt(Date.now(), timezone), 7), from: '18:00', to: '20:00' }, USUAL),
  );
  const zone = venues.find(({ id }) => id === venue)?.timezone;
  const title = words.say('dates.new');
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say('dates.add')}
      onClose={onClose}
      onMade={({ id }) => onMade(id)}
      proposal={(typed) => ({
        title,
        confirm: words.say('dates.add'),
        done: words.say('dates.added'),
        call: () =>
          clientOf(business).call('POST /courses/{id}/date_series', {
            params: { id: course },
            body: {
              ...rulesOf(typed),
              venue,
              venue_room: typed.venue_room ? Number(typed.venue_room) : null,
              instructors: [...instructors],
              dates: datesOf(plan),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <RulesFields errors={errors} />
          <div className="course-pair">
            <Field label={words.say('venue')} errors={errors('venue')}>
              <select value={venue} onChange={({ target }) => setVenue(Number(target.value))}>
                {venues.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={words.say('room')} errors={errors('venue_room')}>
              <select name="venue_room">
                <option value="">{words.say('room.none')}</option>
                {places.rooms
                  .filter((room) => room.venue === venue)
                  .map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
              </select>
            </Field>
          </div>
          <ChooseInstructors
            label={words.say('instructors')}
            value={instructors}
            of={places.instructors}
            errors={errors('instructors')}
            onChange={setInstructors}
          />
          <SessionsFields
            plan={plan}
            errors={errors}
            zone={zone !== undefined && zone !== timezone ? zone : null}
            onChange={setPlan}
          />
        </>
      )}
    </ProposalForm>
  );
}

export function EditDates({ series, onClose }: { readonly series: number; readonly onClose: () => void }) {
  const found = useVersioned('GET /course_date_series/{id}', { params: { id: series }, fields: SERIES_FIELDS });
  if (found.data) return <EditForm first={found.data} refetch={found.refetch} onClose={onClose} />;
  return (
    <Dialog title={words.say('dates.edit')} onClose={onClose}>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : <Loading />}
    </Dialog>
  );
}

interface EditRead {
  readonly value: Rules & { readonly id: number };
  readonly etag: string | null;
}

interface EditFormProps {
  readonly first: EditRead;
  readonly refetch: () => Promise<{ readonly data: EditRead | undefined }>;
  readonly onClose: () => void;
}

function EditForm({ first, refetch, onClose }: EditFormProps) {
  const { id: business } = useBusiness();
  const { opened, readAgain } = useFormVersion(first, refetch);
  const { value: series, etag: version } = opened;
  const title = words.say('dates.edit');
  return (
    <ProposalForm
      title={title}
      submit={words.say('save')}
      onClose={onClose}
      readAgain={readAgain}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('saved'),
        call: () =>
          clientOf(business).call('PATCH /course_date_series/{id}', {
            params: { id: series.id },
            body: rulesOf(typed),
            ...(version && { ifMatch: version }),
            fields: SERIES_FIELDS,
          }),
      })}
    >
      {(errors) => (
        <>
          <p className="soft">{words.say('dates.edit.about')}</p>
          <RulesFields series={series} errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}
