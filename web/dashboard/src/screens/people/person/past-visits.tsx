/** Visits from before the business used this program, as its former product recorded them. */
import { calendarDayOf, momentOf } from '../../../words/times.ts';
import { Listed } from '../../../ui/listed.tsx';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

const PAGE = 20;

const STATUSES = {
  booked: 'attendance.registered',
  attended: 'attendance.attended',
  no_show: 'attendance.no_show',
  late_cancelled: 'attendance.late_cancelled',
} as const;

/** Shows nothing if there are none. */
export function PastVisits({ person }: TabProps) {
  const list = usePages('GET /past_visits', {
    query: { customer: [person.id], sort: ['-date'], page_size: PAGE },
    fields: ['id', 'name', 'date', 'start_time', 'status', 'instructor_name', 'venue_name'],
  });
  if (!list.data || list.data.pages[0].results.length === 0) return null;
  return (
    <>
      <h3>{words.say('visits')}</h3>
      <p className="soft">{words.say('visits.hint')}</p>
      <Listed list={list} none={words.say('visits.none')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, name, date, start_time: time, status, instructor_name: instructor, venue_name: venue }) => (
              <li key={id}>
                <span className="times">
                  {time === null ? calendarDayOf(date) : momentOf(`${date}T${time}:00Z`, 'UTC')}
                </span>
                <span>
                  <strong>{name ?? words.say('visits.unnamed')}</strong>{' '}
                  <span className="soft small">{[instructor, venue].filter(Boolean).join(' · ')}</span>
                </span>
                <span className="end tag">{words.say(STATUSES[status])}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
