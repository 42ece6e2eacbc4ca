import { Link } from '@tanstack/react-router';
import { Failed, Loading } from '../../ui/states.tsx';
import { rangesOf, WEEK, weekdayOf } from '../../hours/labels.ts';
import { None } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

export function Hours({ instructor }: { readonly instructor: number }) {
  const { id: business } = useBusiness();
  const found = useCall('GET /availability_schedules', {
    query: { instructor: [instructor], sort: ['name'], page_size: 20 },
    fields: ['id', 'name', 'venue.name', ...WEEK],
  });
  return (
    <section className="card" aria-labelledby="hours">
      <h2 id="hours">{words.say('hours')}</h2>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data?.results.length === 0 ? <None text={words.say('hours.none')} /> : null}
      <ul className="plain-list">
        {found.data?.results.map((schedule) => (
          <li key={schedule.id}>
            <Link to={`/${business}/hours/${schedule.id}` as string}>
              <strong>{[schedule.name, schedule.venue?.name].filter(Boolean).join(' · ')}</strong>
            </Link>
            <span className="small">
              {WEEK.filter((day) => schedule[day].length > 0).map((day) => (
                <span key={day} className="week-line">
                  {weekdayOf(day)} {rangesOf(schedule[day])}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
