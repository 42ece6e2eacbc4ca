/** The hours of one instructor, or of rooms for rent: weekly hours, overrides, and the resulting availability. */
import '../../hours/hours.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Loading, Missing } from '../../ui/states.tsx';
import { Explained } from './explained.tsx';
import { Offered } from './offered.tsx';
import { Others } from './others.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useParam } from '../../app/address.ts';
import { usePropose } from '../../changes/change.tsx';
import { Week } from './week.tsx';
import { useSchedule, type Schedule } from './read-schedule.ts';
import { calendarDayOf } from '../../words/times.ts';
import { WEEK, rangesOf, weekdayOf } from '../../hours/labels.ts';
import { words } from '../../hours/words.ts';
import { DetailsPage } from '../../ui/page.tsx';

export const { ready } = words;

export function Screen() {
  const business = useBusiness();
  const navigate = useNavigate();
  const propose = usePropose();
  const id = Number(useParam('schedule'));
  const found = useSchedule(id);
  const [editing, setEditing] = useState(false);
  // Instructors without the permission came from their own page.
  const back = may(business, 'manage_events') ? 'hours' : 'mine';
  if (found.error && !found.data)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('not_here')}>
        <Link to={`/${business.id}/${back}` as string}>{words.say('to_all')}</Link>
      </Missing>
    );
  if (!found.data) return <Loading />;
  const { schedule, etag } = found.data;
  const teacher = schedule.schedule_type === 'IU' ? schedule.instructor : null;
  const changes = may(business, 'manage_events') || teacher?.staff === business.staff.id;
  const remove = async (): Promise<void> => {
    const { made } = await propose({
      title: words.say('schedule.delete.title', { name: schedule.name }),
      confirm: words.say('delete'),
      grave: true,
      call: () => clientOf(business.id).call('DELETE /availability_schedules/{id}', { params: { id } }),
      done: words.say('schedule.deleted'),
      about: <p>{words.say('schedule.delete.about')}</p>,
    });
    if (made) void navigate({ to: `/${business.id}/${back}` as string });
  };
  return (
    <DetailsPage
      className="hours"
      back={{ to: back, label: words.say('to_all') }}
      title={schedule.name}
      about={
        <p className="soft">
          {[
            teacher?.name ?? words.say('schedule.rooms'),
            schedule.venue?.name ?? words.say('venue.all'),
            validOf(schedule),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      }
    >
      <div className="cards">
        <section className="card" aria-labelledby="week">
          <h2 id="week">{words.say('week')}</h2>
          <dl>
            {WEEK.map((day) => (
              <div key={day}>
                <dt>{weekdayOf(day)}</dt>
                <dd>{schedule[day].length > 0 ? rangesOf(schedule[day]) : words.say('closed')}</dd>
              </div>
            ))}
          </dl>
          {changes ? (
            <div className="actions">
              <button type="button" onClick={() => setEditing(true)}>
                {words.say('week.edit')}
              </button>
            </div>
          ) : null}
        </section>
        <Explained schedule={id} />
        {changes ? <Others schedule={id} /> : null}
        {may(business, 'manage_events') ? <Offered schedule={schedule} /> : null}
      </div>
      {changes ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => void remove()}>
            {words.say('schedule.delete')}
          </button>
        </div>
      ) : null}
      {editing ? <Week schedule={schedule} etag={etag} onClose={() => setEditing(false)} /> : null}
    </DetailsPage>
  );
}

function validOf({ valid_from: from, valid_until: until }: Schedule): string | null {
  if (from === null && until === null) return null;
  return words.say('valid', { from: from ? calendarDayOf(from) : '…', until: until ? calendarDayOf(until) : '…' });
}
