/** The list of availability schedules, and adding one. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { WEEK, rangesOf, weekdayOf } from '../../hours/labels.ts';
import { words } from '../../hours/words.ts';

const FIELDS = ['id', 'name', 'schedule_type', 'has_availability', 'venue.name', 'instructor.name', ...WEEK] as const;

export function Schedules() {
  const { id: business } = useBusiness();
  const [adding, setAdding] = useState(false);
  const list = usePages('GET /availability_schedules', { query: { sort: ['name'], page_size: 50 }, fields: FIELDS });
  const next: readonly NextStep[] = [
    { label: words.say('schedule.add'), needs: ['manage_events'], act: () => setAdding(true) },
  ];
  return (
    <>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('schedules.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => (
              <li key={one.id}>
                <span className="what">
                  <Link to={`/${business}/hours/${one.id}` as string}>
                    <strong>{one.name}</strong>
                  </Link>
                  <br />
                  <span className="soft small">
                    {[
                      one.schedule_type === 'RRTL' ? words.say('schedule.rooms') : one.instructor?.name,
                      one.venue?.name ?? words.say('venue.all'),
                    ].join(' · ')}
                  </span>
                </span>
                <span className="small">
                  {WEEK.filter((day) => one[day].length > 0).map((day) => (
                    <span key={day} className="week-line">
                      {weekdayOf(day)} {rangesOf(one[day])}
                    </span>
                  ))}
                </span>
                {one.schedule_type === 'IU' && !one.has_availability ? (
                  <span className="tag end">{words.say('schedule.none_open')}</span>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {adding ? <Add onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function Add({ onClose }: { readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const navigate = useNavigate();
  const [ofRooms, setOfRooms] = useState(false);
  const instructors = useCall('GET /instructors', {
    query: { status: 'active', page_size: 100 },
    fields: ['id', 'name'],
  });
  const venues = useCall('GET /venues', { query: { status: 'active', page_size: 100 }, fields: ['id', 'name'] });
  return (
    <ProposalForm
      title={words.say('schedule.add')}
      onClose={onClose}
      onMade={(made: { readonly id: number }) => void navigate({ to: `/${business}/hours/${made.id}` as string })}
      submit={words.say('save')}
      proposal={({ instructor, venue, name }) => ({
        title: words.say('schedule.add'),
        confirm: words.say('save'),
        done: words.say('schedule.created'),
        call: () =>
          clientOf(business).call('POST /availability_schedules', {
            body: {
              schedule_type: ofRooms ? 'RRTL' : 'IU',
              venue: venue ? Number(venue) : null,
              ...(name && { name }),
              ...(!ofRooms && instructor && { instructor: Number(instructor) }),
            },
            fields: ['id'],
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('schedule.of')}>
            <select
              value={ofRooms ? 'rooms' : 'instructor'}
              onChange={({ target }) => setOfRooms(target.value === 'rooms')}
            >
              <option value="instructor">{words.say('schedule.instructor')}</option>
              <option value="rooms">{words.say('schedule.rooms')}</option>
            </select>
          </Field>
          {ofRooms ? null : (
            <Field label={words.say('schedule.instructor')} errors={errors('instructor')}>
              <select name="instructor">
                {instructors.data?.results.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <Field label={words.say('schedule.venue')} errors={errors('venue')}>
            <select name="venue">
              <option value="">{words.say('venue.all')}</option>
              {venues.data?.results.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.say('schedule.name')} hint={words.say('schedule.name.hint')} errors={errors('name')}>
            <input name="name" autoComplete="off" maxLength={32} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
